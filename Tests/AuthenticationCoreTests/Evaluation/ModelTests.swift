import AuthenticationCore
import Testing

/// What an observer of events and steps knows, without looking into the machine.
private struct Observer: Hashable {
  var runs = false
  var listens = false
  var starts = 0
  var verifies = 0
  var isVerifying = false
  var isMatched = false
  var asked: Ask?
  /// The last prompt is on the screen.
  var isShown = false
  /// A prompt has been on the screen: the person knows what it is about.
  var isTold = false
}

/// One state of machine and observer, how it was reached, and the machine's bytes to know it again.
private struct Place {
  var machine: Evaluation
  var observer: Observer
  var now: UInt64
  var path: [Evaluation.Event]

  struct Key: Hashable {
    var machine: [UInt8]
    var observer: Observer
    var now: UInt64
  }

  var key: Key {
    // SAFETY: the bytes are only copied; Evaluation holds no pointer. Padding could at worst make a state count twice.
    let bytes = unsafe withUnsafeBytes(of: machine) { unsafe [UInt8]($0) }
    return Key(machine: bytes, observer: observer, now: now)
  }
}

/// Every state that any sequence of events can reach, each rule checked at every step.
private struct Exploration {
  let setting: Setting
  var places = 0
  var ends: Set<Outcome> = []
  var violations: [String] = []

  mutating func run() {
    var machine = setting.makeEvaluation()
    let step = machine.begin(now: 0)
    var first = Place(machine: machine, observer: Observer(), now: 0, path: [])
    check(step, .cancelled(.success), from: first, to: machine, now: 0)
    observe(step, nil, &first.observer)
    if machine.hasEnded { return }
    var seen: Set<Place.Key> = [first.key]
    var open = [first]
    while let place = open.popLast(), places < 10_000, violations.count < 10 {
      places += 1
      checkTimeLeadsOut(place)
      for event in everyEvent {
        if let next = follow(place, event), seen.insert(next.key).inserted { open.append(next) }
      }
    }
  }

  private mutating func follow(_ place: Place, _ event: Evaluation.Event) -> Place? {
    var next = place
    next.path.append(event)
    if event == .timePassed { next.now = place.machine.nextDeadline }
    let step = next.machine.receive(event, now: next.now)
    check(step, event, from: place, to: next.machine, now: next.now)
    observe(step, event, &next.observer)
    if let end = step.end { ends.insert(end) }
    return next.machine.hasEnded ? nil : next
  }

  private func observe(_ step: Evaluation.Step, _ event: Evaluation.Event?, _ observer: inout Observer) {
    switch event {
    case .promptShown where observer.asked != nil: (observer.isShown, observer.isTold) = (true, true)
    case .readerUnavailable where !observer.listens && !observer.isMatched: observer.runs = false
    case .readerLost where observer.listens: (observer.runs, observer.listens) = (false, false)
    case .passcodeAccepted, .passcodeRefused: observer.isVerifying = false
    default: break
    }
    if let ask = step.ask { (observer.asked, observer.isShown) = (ask, false) }
    switch step.reader {
    case .probe: observer.runs = true
    case .start: (observer.listens, observer.starts) = (true, observer.starts + 1)
    case .stop: (observer.runs, observer.listens) = (false, false)
    case nil: break
    }
    if step.verifyPasscode { (observer.isVerifying, observer.verifies) = (true, observer.verifies + 1) }
    // The reader has done its part: it lets go of the claim by itself.
    if step.checkAccount { (observer.isMatched, observer.listens, observer.runs) = (true, false, false) }
  }

  private mutating func check(
    _ step: Evaluation.Step, _ event: Evaluation.Event, from: Place, to: Evaluation, now: UInt64
  ) {
    let before = from.observer
    func rule(_ holds: Bool, _ text: String) -> String? { holds ? nil : "\(text): \(setting) \(from.path) \(event)" }
    let byFinger = event == .accountAllowed && before.isMatched && to.mechanism == .biometry
    let byPasscode =
      event == .passcodeAccepted && before.isVerifying && setting.way == .helper && to.mechanism == .passcode
    violations += [
      rule(step.end != .success || byFinger || byPasscode, "success without a factor"),
      rule((to.mechanism != .none) == (step.end == .success), "a mechanism without a success"),
      rule(to.hasEnded == (step.end != nil), "ended and did not say so"),
      rule(!step.checkAccount || (event == .readerMatched && before.listens), "a match of a reader not started"),
      rule(
        !step.verifyPasscode
          || (event == .passcodeTyped(empty: false) && before.isShown && before.asked?.wantsPasscode == true),
        "a passcode that nobody was asked for"),
      rule(!step.verifyPasscode || !before.isMatched, "a passcode verified beside the account of a match"),
      rule(!step.verifyPasscode || (setting.passcode && setting.way == .helper), "a passcode not ours to verify"),
      rule(!step.verifyPasscode || before.verifies < setting.limits.passcodeTries, "too many passcodes"),
      rule(step.reader != .start || before.starts < setting.limits.readerTries, "too many fingers"),
      rule(
        step.reader != .start || before.isTold || (event == .promptShown && before.asked != nil),
        "a reader started before the person was told"),
      rule(step.reader != .start || before.runs, "a reader started that does not run"),
      rule(step.end == nil || !stillRuns(before, event) || step.reader == .stop, "a reader left behind"),
      rule(step.reader != .stop || before.runs, "a reader stopped that does not run"),
      rule(step.ask?.wantsPasscode != true || setting.passcode, "a passcode asked for under a policy without"),
      rule(step.ask == nil || step.ask == .passcode || setting.finger, "a finger asked for that may not be"),
      rule(
        step.ask != .passcodeOrFinger || setting.interaction == .concurrent, "two ways on a screen for one"),
      rule(step.end == nil || (step.ask == nil && step.hint == nil), "words after the end"),
      rule(to.hasEnded || to.nextDeadline != .max, "no deadline"),
      rule(to.hasEnded || event != .timePassed || to.nextDeadline > now, "a deadline in the past"),
    ].compactMap { $0 }
  }

  private func stillRuns(_ before: Observer, _ event: Evaluation.Event) -> Bool {
    switch event {
    case .readerUnavailable: before.runs && before.listens
    case .readerLost: before.runs && !before.listens
    default: before.runs
    }
  }

  /// Time alone ends it from anywhere: it cannot hang.
  private mutating func checkTimeLeadsOut(_ place: Place) {
    var machine = place.machine
    for _ in 0..<6 where !machine.hasEnded { _ = machine.receive(.timePassed, now: machine.nextDeadline) }
    if !machine.hasEnded { violations.append("hangs: \(setting) \(place.path)") }
  }
}

@Suite struct `Every sequence of events` {
  @Test(arguments: [Interaction.concurrent, .sequential, .promptOnly, .none], [1, 2])
  func `keeps every rule`(interaction: Interaction, tries: Int) {
    for way in PasscodeWay.allCases {
      for (finger, passcode) in [(true, true), (true, false), (false, true), (false, false)] {
        let limits = EvaluationLimits(readerTries: tries, passcodeTries: tries)
        let setting = Setting(
          finger: finger, passcode: passcode, interaction: interaction, way: way, limits: limits)
        var exploration = Exploration(setting: setting)
        exploration.run()
        #expect(exploration.violations.isEmpty)
        #expect(exploration.places < 10_000, "not everything was seen")
        #expect(exploration.ends.contains(.success) == (finger || passcode && way == .helper), "\(setting)")
      }
    }
  }
}
