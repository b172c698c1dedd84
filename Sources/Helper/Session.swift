import AuthenticationCore
import CPlatform
import HelperProtocol
import SecretBytes
import SystemInterface

/// One request from hello to verdict: the parent, which loads no PAM module and talks to no bus.
struct Session: ~Copyable {
  private var client: FrameChannel
  private let caller: Caller
  private var order = SessionOrder()

  init(channel: consuming FrameChannel, caller: consuming Caller) {
    client = channel
    self.caller = caller
  }

  /// Serves the request. Whatever fails ends without a verdict, which every front end takes for "unavailable".
  consuming func run() {
    guard let request = receiveHello() else {
      return Log.error("localauth-helper: refused: no request of this version, or a name that cannot be one")
    }
    guard let account = account(for: request) else {
      refuse(request, .notPermitted, "only root may ask about somebody else")
      return
    }
    let denial = Locality.find(request, caller).denial()
    var preflight = Preflight(
      policy: request.policy, interaction: request.interaction, way: request.way,
      biometry: denial == nil ? .unknown : .notAvailable, passcode: account.passcode)
    var detail = denial?.text ?? ""
    if request.purpose == .preflight, denial == nil {
      (preflight.biometry, detail) = ReaderLook.find(for: account.name)
    }
    switch preflight.decide() {
    case .refuse(let outcome):
      // What is said of the reader explains nothing else.
      refuse(request, outcome, outcome == preflight.biometry.refusal ? detail : "", user: account.name)
    case .ask where request.purpose == .preflight:
      VerdictSender.send(client, request, caller, account.name, (.success, .none), detail)
    case .ask(let finger, let passcode):
      let evaluation = Evaluation(
        finger: finger, passcode: passcode, interaction: request.interaction, way: request.way, limits: request.limits,
        withoutReader: request.policy == .owner && !passcode ? .passcodeNotSet : nil)
      let race = Race(
        client: client, order: order, evaluation: evaluation, request: request, caller: caller, account: account)
      race.run()
    }
  }

  /// A silent peer is dropped after ten seconds.
  private mutating func receiveHello() -> Request? {
    let deadline = Clock.now() &+ 10_000
    do throws(ChannelFailure) {
      while true {
        if let header = try client.receive() { return read(header) }
        guard let ready = try? PollSet.wait(for: client.raw, events: PollSet.readable, until: deadline), ready else {
          return nil
        }
      }
    } catch {
      return nil
    }
  }

  private mutating func read(_ header: FrameHeader) -> Request? {
    defer { client.next() }
    do throws(ProtocolFailure) {
      try order.frontEnd(header.type, count: header.count)
      let isRoot = caller.isRoot
      return try client.withPayload { payload throws(ProtocolFailure) in
        Request(try Hello(parsing: payload), payload, isRoot: isRoot)
      }
    } catch {
      return nil
    }
  }

  /// The one who is asked about: the caller itself, or whom root names. Nobody is looked up before that is decided,
  /// so that a refusal tells nothing about who exists.
  private func account(for request: Request) -> Account? {
    guard let target = request.target else { return Account(uid: caller.uid) }
    guard caller.isRoot else { return nil }
    return Account(name: target)
  }

  private func refuse(_ request: Request, _ outcome: Outcome, _ detail: StaticString, user: FixedText? = nil) {
    let refusal = outcome == .success ? .invalidContext : outcome
    VerdictSender.send(client, request, caller, user, (refusal, .none), detail)
  }
}
