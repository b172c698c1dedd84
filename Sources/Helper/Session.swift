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
      return refuse(request, Conclusion(outcome: .notPermitted, detail: "only root may ask about somebody else"))
    }
    switch request.purpose {
    case .evaluate, .preflight:
      let files = SettingsFiles.read(for: request.service)
      evaluate(request.bounded(by: files.settings), account, files)
    case .confirm: confirm(request, account)
    case .unlock: unlock(request, account)
    }
  }

  // MARK: Evaluations

  private consuming func evaluate(_ request: Request, _ account: Account, _ files: SettingsFiles) {
    let ledger = Ledger(account, origin: request.passcodeOrigin(caller))
    let standing = Standing(account, ledger, denial: Locality.find(request, caller).denial(), files)
    var preflight = Preflight(
      policy: request.policy, interaction: request.interaction, way: request.way, biometry: standing.biometry,
      passcode: account.passcode, passcodeIsClosed: account.hasPasscode && standing.counts.secondsLeft > 0)
    var detail = standing.detail(hasPasscode: account.hasPasscode)
    if Self.needsLook(request, standing) { (preflight.biometry, detail) = Self.look(account, standing) }
    switch preflight.decide() {
    case .refuse(let outcome):
      var conclusion = Conclusion(outcome: outcome, retryAfter: standing.secondsLeft(outcome))
      // What is said of the reader explains nothing else.
      if outcome == preflight.biometry.refusal { conclusion.detail = detail }
      if outcome == .passcodeLockout { conclusion.detail = "too many wrong passcodes" }
      if outcome == .passcodeLockout { tell(request, .tryLater, seconds: conclusion.retryAfter) }
      refuse(request, conclusion, user: account.name)
    case .ask where request.purpose == .preflight:
      VerdictSender.send(client, request, caller, account.name, Conclusion(outcome: .success, detail: detail))
    case .ask(let finger, let passcode): race(request, account, ledger, standing, preflight, finger, passcode)
    }
  }

  private consuming func race(
    _ request: Request, _ account: Account, _ ledger: consuming Ledger, _ standing: consuming Standing,
    _ preflight: Preflight, _ finger: Bool, _ passcode: Bool
  ) {
    var limits = request.limits
    limits.readerTries = min(limits.readerTries, Int(standing.counts.matchesLeft))
    let withoutReader: Outcome = preflight.passcodeIsClosed ? .passcodeLockout : .passcodeNotSet
    if preflight.passcodeIsClosed { tell(request, .tryLater, seconds: standing.counts.secondsLeft) }
    let evaluation = Evaluation(
      finger: finger, passcode: passcode, interaction: request.interaction, way: request.way, limits: limits,
      withoutReader: request.policy == .owner && !passcode ? withoutReader : nil,
      notice: request.silent ? nil : preflight.biometry.notice)
    let fingers = standing.takeFingers()
    let race = Race(
      client: client, order: order, evaluation: evaluation, request: request, caller: caller, account: account,
      ledger: ledger, fingers: fingers)
    race.run()
  }

  /// fprintd is asked where the answer is the request's own subject, and never opens a reader for that.
  private static func needsLook(_ request: Request, _ standing: borrowing Standing) -> Bool {
    if standing.isDenied { return false }
    return request.purpose == .preflight || (request.policy == .biometrics && standing.biometry.refusal != nil)
  }

  /// What fprintd says, and what is known besides.
  private static func look(_ account: Account, _ standing: borrowing Standing) -> (BiometryState, StaticString) {
    let (found, detail) = ReaderLook.find(for: account.name)
    if found != .available { return (found, detail) }
    switch standing.biometry {
    case .unknown: return (found, detail)
    // fprintd has fingers that are stored where we do not see them change.
    case .notEnrolled: return (.notAvailable, "the enrolled fingers are not stored in /var/lib/fprint")
    default: return (standing.biometry, standing.detail(hasPasscode: account.hasPasscode))
    }
  }

  // MARK: Other purposes

  /// A passcode that was right in the host's own stack opens a locked reader and confirms the enrolled fingers, once
  /// the stack of ours has said so as well: a host's word alone might rest on a finger, or on being root.
  private consuming func confirm(_ request: Request, _ account: Account) {
    let ledger = Ledger(account, origin: request.passcodeOrigin(caller))
    let standing = Standing(account, ledger, denial: nil, nil)
    guard standing.needsPasscode, account.passcode == .set, standing.counts.secondsLeft == 0 else {
      return VerdictSender.send(client, request, caller, account.name, Conclusion(outcome: .success), quietly: true)
    }
    let evaluation = Evaluation(
      finger: false, passcode: true, interaction: .promptOnly, way: .helper, limits: request.limits)
    let race = Race(
      client: client, order: order, evaluation: evaluation, request: request, caller: caller, account: account,
      ledger: ledger, fingers: nil)
    race.run()
  }

  /// Forgets what was counted. Where no passcode could do so, root's word also confirms the enrolled fingers.
  private consuming func unlock(_ request: Request, _ account: Account) {
    guard caller.isRoot, request.target != nil else {
      return refuse(request, Conclusion(outcome: .notPermitted, detail: "only root may unlock"))
    }
    guard let uid = account.uid else { return refuse(request, Conclusion(outcome: .unknownUser), user: account.name) }
    var isDone = Ledger(account, origin: .user(0)).forgetAll()
    if isDone, !account.hasPasscode, let fingers = EnrolledFingers(of: account.name), !fingers.isEmpty {
      isDone = fingers.confirm(for: uid)
    }
    let failure = Conclusion(outcome: .systemCancel, detail: "/var/lib/localauth cannot be written")
    if !isDone { return refuse(request, failure, user: account.name) }
    VerdictSender.send(client, request, caller, account.name, Conclusion(outcome: .success))
  }

  // MARK: The hello

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

  private func refuse(_ request: Request, _ conclusion: Conclusion, user: FixedText? = nil) {
    var refusal = conclusion
    if refusal.outcome == .success { refusal.outcome = .invalidContext }
    VerdictSender.send(client, request, caller, user, refusal)
  }

  /// Tells the person something before the end, where that is allowed.
  private mutating func tell(_ request: Request, _ hint: Hint, seconds: Int64) {
    if request.silent || request.interaction == .none || request.purpose == .preflight { return }
    let notice = Notice(hint, seconds: seconds)
    do throws(ProtocolFailure) {
      try order.helper(.hint, count: notice.count)
    } catch {
      return
    }
    // A front end that is gone is noticed at the verdict.
    do throws(ChannelFailure) {
      try client.send(notice.frame(.press), until: Clock.now() &+ 500)
    } catch {
      return
    }
  }
}
