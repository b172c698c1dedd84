import AuthenticationCore
import CPlatform
import HelperProtocol
import SecretBytes
import SystemInterface

/// Finger and passcode, whichever comes first: turns what happens into events of `Evaluation`, and does what it
/// orders.
struct Race: ~Copyable {
  private var client: FrameChannel
  private var order: SessionOrder
  private var evaluation: Evaluation
  private let request: Request
  private let caller: Caller
  private let account: Account
  private var ledger: Ledger
  /// The fingers that the passcode was last right with; a reader is asked only for them.
  private let fingers: EnrolledFingers?
  private var reader: ReaderProcess?
  /// Its end is expected.
  private var readerIsDone = false
  /// Hints of the reader that are still passed on: FrameLimits must leave room for what decides.
  private var hintsLeft = 48
  /// The process that verifies a passcode, or looks at the account after a match.
  private var passcode: PasscodeProcess?
  /// Whether that process verifies a passcode.
  private var isVerifying = false
  private var isInquiring = false
  private var secret: SecretBytes?
  private var detail: StaticString = ""
  private var retryAfter: Int64 = 0
  private var outcome: Outcome?
  /// The front end is gone: nothing more is sent.
  private var isAlone = false

  init(
    client: consuming FrameChannel, order: SessionOrder, evaluation: Evaluation, request: Request,
    caller: consuming Caller, account: Account, ledger: consuming Ledger, fingers: consuming EnrolledFingers?
  ) {
    self.client = client
    self.order = order
    self.evaluation = evaluation
    self.request = request
    self.caller = caller
    self.account = account
    self.ledger = ledger
    self.fingers = fingers
  }

  consuming func run() {
    perform(evaluation.begin(now: Clock.now()))
    while outcome == nil { wait() }
    finish()
  }

  private mutating func wait() {
    var set = PollSet()
    set.watch(0, client.raw)
    set.watch(1, reader?.raw)
    set.watch(2, passcode?.channel.raw)
    let deadline = evaluation.nextDeadline
    do throws(SystemError) {
      _ = try set.wait(until: deadline)
    } catch {
      return receive(.cancelled(.systemCancel))
    }
    if set.isReady(0) { readClient() }
    if outcome == nil, set.isReady(1) { readReader() }
    if outcome == nil, set.isReady(2) { readPasscode() }
    if outcome == nil, Clock.now() >= deadline { receive(.timePassed) }
  }

  private mutating func receive(_ event: Evaluation.Event) {
    perform(evaluation.receive(event, now: Clock.now()))
  }

  // MARK: What happens

  private mutating func readClient() {
    do throws(ChannelFailure) {
      guard let header = try client.receive() else { return }
      defer { client.next() }
      try take(header)
    } catch {
      // Gone, or it sent what no front end sends: either way nobody is there to be told.
      isAlone = true
      receive(.cancelled(.appCancel))
    }
  }

  private mutating func take(_ header: FrameHeader) throws(ChannelFailure) {
    do throws(ProtocolFailure) {
      try order.frontEnd(header.type, count: header.count)
      switch header.type {
      case .shown: receive(.promptShown)
      case .answer: takeAnswer()
      case .cancel: receive(.cancelled(outcome(of: try client.withPayload(CancelReason.init(parsing:)))))
      default: throw .outOfOrder
      }
    } catch {
      throw .malformed(error)
    }
  }

  private func outcome(of reason: CancelReason) -> Outcome {
    switch reason {
    case .user: .userCancel
    case .host: .appCancel
    case .system: .systemCancel
    case .fallback: .userFallback
    }
  }

  private mutating func takeAnswer() {
    guard var typed = SecretBytes() else { return receive(.cancelled(.systemCancel)) }
    client.withPayload { typed.append(contentsOf: $0) }
    if isInquiring {
      isInquiring = false
      // The stack's own question, answered; a process that is gone is noticed when it is read.
      _ = passcode?.send(typed)
      return
    }
    // What the system's stack could not be asked with is wrong, and is never asked.
    let unusable = !typed.isUsable
    secret = consume typed
    receive(.passcodeTyped(empty: unusable))
  }

  private mutating func readReader() {
    guard let received = reader?.receive() else { return }
    switch received {
    case .ended:
      reader = nil
      if readerIsDone { return }
      detail = ReaderFault.broken.detail
      receive(.readerUnavailable(.biometryNotAvailable))
      receive(.readerLost)
    case .message(.ready(let scan)): readerIsReady(scan)
    case .message(.unavailable(let fault)):
      detail = fault.detail
      receive(.readerUnavailable(fault.outcome))
    case .message(.hint(let hint)):
      if hintsLeft == 0 { return }
      hintsLeft -= 1
      receive(.readerHinted(hint))
    case .message(.didNotMatch):
      ledger.matchFailed()
      receive(.readerDidNotMatch)
    case .message(.matched):
      readerIsDone = true
      readerMatched()
    case .message(.lost(let fault)):
      detail = fault.detail
      receive(.readerLost)
    }
  }

  /// The reader is ours from here on, so that nobody enrols anything in between: the fingers must be those still.
  private mutating func readerIsReady(_ scan: ScanType) {
    if isConfirmed({ now, confirmed in now.equals(confirmed) }) { return receive(.readerReady(scan)) }
    detail = "the enrolled fingers have changed"
    receive(.readerUnavailable(.biometryLockout))
  }

  /// A reader may have learned from the match and stored that; other fingers are no match.
  private mutating func readerMatched() {
    if isConfirmed({ now, confirmed in now.haveSameFingers(as: confirmed) }) { return receive(.readerMatched) }
    detail = "the enrolled fingers have changed"
    receive(.readerLost)
  }

  private func isConfirmed(_ compare: (borrowing EnrolledFingers, borrowing EnrolledFingers) -> Bool) -> Bool {
    guard let now = EnrolledFingers(of: account.name), !now.isEmpty else { return false }
    switch fingers {
    case .some(let confirmed): return compare(now, confirmed)
    case .none: return false
    }
  }

  private mutating func readPasscode() {
    guard passcode != nil else { return }
    do throws(ChannelFailure) {
      guard let header = try passcode?.channel.receive() else { return }
      try relay(header)
    } catch {
      // It died, of a module or of us: no verdict, so the passcode was neither right nor wrong.
      stackEnded(.passcodeUnavailable)
    }
  }

  private mutating func relay(_ header: FrameHeader) throws(ChannelFailure) {
    switch header.type {
    case .inquire, .notice:
      let type = header.type
      let silent = request.silent && type == .notice
      let frame: FrameWriter? = passcode?.channel.withPayload { payload in
        var frame = FrameWriter(type)
        frame.put(raw: payload)
        return frame
      }
      passcode?.channel.next()
      guard let frame, !silent else { return }
      isInquiring = type == .inquire
      send(frame, type, count: header.count)
    case .verdict:
      let outcome = passcode?.outcome(count: header.count) ?? .passcodeUnavailable
      stackEnded(outcome)
    default: throw .malformed(.outOfOrder)
    }
  }

  private mutating func stackEnded(_ outcome: Outcome) {
    passcode = nil
    isInquiring = false
    if isVerifying {
      isVerifying = false
      // Somebody who does not exist was asked like anybody else; the stack's answer says no more than that.
      if account.uid == nil { return receive(.passcodeRefused(.unknownUser)) }
      settlePasscode(outcome)
      receive(outcome == .success ? .passcodeAccepted : .passcodeRefused(outcome))
    } else {
      receive(outcome == .success ? .accountAllowed : .accountRefused(outcome))
    }
  }

  // MARK: What is ordered

  private mutating func perform(_ step: Evaluation.Step) {
    if let hint = step.hint { send(hint) }
    if let ask = step.ask { send(ask) }
    switch step.reader {
    case nil: break
    case .probe: probe()
    case .start: startReader()
    // What it held is free in a moment; the race goes on.
    case .stop:
      readerIsDone = true
      reader?.order(.stop)
    }
    if step.verifyPasscode { chargePasscode() }
    if step.checkAccount { checkAccount() }
    if let end = step.end { outcome = end }
  }

  private mutating func probe() {
    reader = ReaderProcess.start(user: account.name, look: false)
    if reader == nil { receive(.readerUnavailable(.biometryNotAvailable)) }
  }

  /// No match is heard that was not charged before.
  private mutating func startReader() {
    switch ledger.chargeMatch() {
    case .charged:
      reader?.order(.start)
      return
    case .closed(let seconds):
      detail = "too many wrong fingers"
      retryAfter = seconds
    case .unkept: detail = "what is counted in /var/lib/localauth cannot be written"
    }
    readerIsDone = true
    reader?.order(.stop)
    receive(.readerLost)
  }

  private mutating func chargePasscode() {
    // It starts while the charge is written, and gets the passcode afterwards.
    passcode = PasscodeProcess.start(stackRequest(accountOnly: false))
    switch ledger.chargePasscode() {
    case .charged: verifyPasscode()
    case .closed(let seconds):
      passcode = nil
      retryAfter = seconds
      detail = "too many wrong passcodes"
      receive(.passcodeRefused(.passcodeLockout))
    case .unkept:
      // The right passcode gets in whatever the disk does; the system's own stack counts as well.
      if account.uid != nil { Log.error("localauth-helper: not counted: /var/lib/localauth cannot be written") }
      verifyPasscode()
    }
  }

  private mutating func settlePasscode(_ outcome: Outcome) {
    switch outcome {
    case .success:
      ledger.passcodeSucceeded()
      confirmFingers()
    case .authenticationFailed, .triesExhausted: ledger.passcodeFailed()
    default: ledger.refundPasscode()
    }
  }

  /// Whoever knows the passcode has the fingers that are enrolled now.
  private func confirmFingers() {
    guard let uid = account.uid, let now = EnrolledFingers(of: account.name), !now.isEmpty,
      now.state(of: uid) == .changed
    else { return }
    _ = now.confirm(for: uid)
  }

  private mutating func verifyPasscode() {
    guard let typed = secret.take() else { return stackEnded(.passcodeUnavailable) }
    isVerifying = true
    let handed = passcode?.send(typed) ?? false
    if !handed { stackEnded(.passcodeUnavailable) }
  }

  /// After a match the account still has to be usable; a passcode that is being verified lost.
  private mutating func checkAccount() {
    if isVerifying { ledger.refundPasscode() }
    isVerifying = false
    passcode = PasscodeProcess.start(stackRequest(accountOnly: true))
    if passcode == nil { stackEnded(.passcodeUnavailable) }
  }

  private func stackRequest(accountOnly: Bool) -> PasscodeRequest {
    let asking = request.origin ?? caller.uid
    return PasscodeRequest(
      user: account.name, uid: account.uid, terminal: caller.isRoot ? request.terminal : FixedText(),
      remoteHost: caller.isRoot ? request.remoteHost : FixedText(),
      askingUser: caller.isRoot ? Account.name(of: asking) : account.name, isRootHost: caller.isRoot,
      silent: request.silent, accountOnly: accountOnly)
  }

  private mutating func send(_ ask: Ask) {
    let line = request.silent ? Line() : RequestLine.make(request, caller, account)
    var prompt = Line()
    prompt.append(ask.text(evaluation.scan))
    let frame = line.withBytes { line in
      prompt.withBytes { AskMessage.frame(ask: ask.rawValue, request: line, prompt: $0) }
    }
    send(frame, .ask, count: 0, wantsPasscode: ask.wantsPasscode)
  }

  private mutating func send(_ hint: Hint) {
    let notice = Notice(hint)
    send(notice.frame(evaluation.scan), .hint, count: notice.count)
  }

  private mutating func send(
    _ frame: consuming FrameWriter, _ type: FrameType, count: Int, wantsPasscode: Bool = false
  ) {
    if isAlone { return }
    do throws(ProtocolFailure) {
      try order.helper(type, count: count, wantsPasscode: wantsPasscode)
    } catch {
      return receive(.cancelled(.systemCancel))
    }
    do throws(ChannelFailure) {
      try client.send(frame, until: Clock.now() &+ 1_000)
    } catch {
      isAlone = true
      receive(.cancelled(.appCancel))
    }
  }

  /// What was charged and neither right nor wrong is given back; a match that decided forgets what failed before.
  private mutating func settle() {
    if isVerifying { ledger.refundPasscode() }
    guard outcome == .success, evaluation.mechanism == .biometry else { return ledger.refundMatch() }
    ledger.matchSucceeded()
    if isConfirmed({ now, confirmed in now.haveSameFingers(as: confirmed) }) { confirmFingers() }
  }

  /// The verdict first, then the cleaning up: the front end does not wait for the reader to be released.
  private consuming func finish() {
    settle()
    let end = outcome ?? .systemCancel
    var verdict = Conclusion(outcome: end, mechanism: evaluation.mechanism)
    switch end {
    // Nothing stood in the way; what was said of the reader on the way there is no reason.
    case .success, .authenticationFailed, .triesExhausted, .userCancel, .userFallback, .appCancel: break
    default:
      verdict.detail = detail
      verdict.retryAfter = retryAfter
    }
    if isAlone {
      VerdictSender.log(request, caller, account.name, verdict)
    } else {
      VerdictSender.send(client, request, caller, account.name, verdict)
    }
    secret = nil
    passcode = nil
    if reader != nil { reader?.finish(milliseconds: 900) }
  }
}
