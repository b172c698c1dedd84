import AuthenticationCore
import HelperProtocol
import SystemInterface

/// The helper's end of a connection, played by a test; every wait ends after two seconds.
final class FakeHelper {
  private var channel: FrameChannel
  private(set) var nonce = Nonce(InlineArray(repeating: 0))

  init(_ descriptor: consuming Descriptor) { channel = FrameChannel(descriptor) }

  /// The payload of the next frame, or nil when there is none of this type.
  func expect(_ type: FrameType) -> [UInt8]? {
    let deadline = Clock.now() + 2_000
    do throws(ChannelFailure) {
      while true {
        if let header = try channel.receive() {
          var payload: [UInt8] = []
          channel.withPayload { for index in 0..<$0.count { payload.append($0[index]) } }
          channel.next()
          return header.type == type ? payload : nil
        }
        guard (try? PollSet.wait(for: channel.raw, events: PollSet.readable, until: deadline)) == true else {
          return nil
        }
      }
    } catch {
      return nil
    }
  }

  func expectHello() -> (hello: Hello, payload: [UInt8])? {
    guard let payload = expect(.hello), let hello = try? Hello(parsing: payload.span) else { return nil }
    nonce = hello.nonce
    return (hello, payload)
  }

  func ask(_ ask: Ask, request: String = "", prompt: String = "Passcode: ") {
    send(AskMessage.frame(ask: ask.rawValue, request: Array(request.utf8).span, prompt: Array(prompt.utf8).span))
  }

  func hint(_ hint: Hint, _ text: String) {
    send(HintMessage.frame(hint: hint.rawValue, text: Array(text.utf8).span, prompt: Array("Passcode: ".utf8).span))
  }

  func say(_ type: FrameType, code: CInt, _ text: String) {
    send(TextMessage.frame(type, code: UInt8(truncatingIfNeeded: code), text: Array(text.utf8).span))
  }

  func verdict(_ outcome: Outcome, _ mechanism: Mechanism = .none, nonce other: Nonce? = nil) {
    send(
      Verdict.frame(
        nonce: other ?? nonce, outcome: outcome.rawValue, mechanism: mechanism.rawValue, retryAfter: 0,
        detail: [UInt8]().span))
  }

  func send(_ frame: consuming FrameWriter) { try? channel.send(frame, until: Clock.now() + 1_000) }

  func sendRaw(_ bytes: [UInt8]) { _ = Descriptor.writeAll(channel.raw, bytes.span) }
}
