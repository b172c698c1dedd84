public import AuthenticationCore
public import SecretBytes

/// What a front end shows, and how it hears the person.
public protocol Prompter: AnyObject {
  /// How it can talk to the person.
  var interaction: Interaction { get }
  /// What poll(2) waits on for the person; -1 for nothing.
  var descriptor: CInt { get }
  /// The same for the signals that a prompt must not leave to their default: a signalfd(2), or -1.
  var signals: CInt { get }
  /// Shows a prompt: `request` says who asks for what, `prompt` what to do. `hidden` false echoes what is typed.
  func show(_ ask: Ask, request: String, prompt: String)
  /// Shows a line beside the prompt; the prompt's words from here on, where they change.
  func tell(_ text: String, prompt: String?)
  /// Asks a question of the system's own stack.
  func inquire(_ text: String, hidden: Bool)
  /// Takes what the person did; called when `descriptor` or `signals` has something.
  func hear() -> Heard
  /// Removes the prompt and leaves everything as it was.
  func end()
}

extension Prompter {
  public var signals: CInt { -1 }
}

/// What the person did.
public enum Heard: ~Copyable {
  case nothing
  case answer(SecretBytes)
  /// Ctrl-C, Esc.
  case cancel
}

@available(*, unavailable)
extension Heard: Sendable {}
