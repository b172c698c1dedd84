import AuthenticationCore

/// Why there is no reader for this request.
struct ReaderError: Error {
  var fault: ReaderFault

  init(_ fault: ReaderFault) { self.fault = fault }

  init(_ failure: BusFailure) {
    switch failure {
    case .timedOut: fault = .silent
    case .broken: fault = .broken
    case .error(.serviceUnknown): fault = .noService
    case .error(.alreadyInUse): fault = .busy
    case .error(.noEnrolledPrints): fault = .notEnrolled
    case .error(.noSuchDevice): fault = .noDevice
    case .error(.permissionDenied): fault = .refused
    case .error(.other): fault = .broken
    }
  }
}

/// fprintd on the bus: the interfaces net.reactivated.Fprint.Manager and .Device.
///
/// Only an owner of the name that runs as root is believed, and only under the unique name it had when we looked.
struct Fprint: ~Copyable {
  private let bus: Bus
  private let owner: FixedText
  private var device = FixedText()
  private var isClaimed = false
  private var isVerifying = false
  private(set) var scan = ScanType.press

  enum Report: Equatable {
    case hint(Hint)
    case didNotMatch
    case matched
    case lost(ReaderFault)
  }

  private static var daemon: BusText { .fixed("org.freedesktop.DBus") }
  private static var daemonPath: BusText { .fixed("/org/freedesktop/DBus") }
  private static var deviceInterface: StaticString { "net.reactivated.Fprint.Device" }

  /// Starts fprintd where it does not run, and pins who owns its name.
  init() throws(ReaderError) {
    guard let bus = Bus() else { throw ReaderError(.noBus) }
    do throws(BusFailure) {
      let owner = try Self.findOwner(bus)
      let uid = try bus.call(
        Self.daemon, Self.daemonPath, "org.freedesktop.DBus", "GetConnectionUnixUser", .told(owner)
      ).number()
      guard uid == 0 else { throw .error(.permissionDenied) }
      self.owner = owner
    } catch {
      if case .error(.permissionDenied) = error { throw ReaderError(.impostor) }
      if case .error(.other) = error { throw ReaderError(.noService) }
      throw ReaderError(error)
    }
    self.bus = bus
  }

  /// The unique name behind fprintd's; fprintd is started where it does not run.
  private static func findOwner(_ bus: borrowing Bus) throws(BusFailure) -> FixedText {
    let name = BusText.fixed("net.reactivated.Fprint")
    var reply: BusMessage
    do throws(BusFailure) {
      reply = try bus.call(daemon, daemonPath, "org.freedesktop.DBus", "GetNameOwner", name)
    } catch .error(.serviceUnknown) {
      _ = try bus.call(daemon, daemonPath, "org.freedesktop.DBus", "StartServiceByName", name, number: 0)
      reply = try bus.call(daemon, daemonPath, "org.freedesktop.DBus", "GetNameOwner", name)
    }
    guard let owner = reply.text(), !owner.isEmpty else { throw .broken }
    return owner
  }

  var descriptor: CInt { bus.descriptor }

  /// Looks for readers where `user` has a finger enrolled, and claims the first that lets itself be claimed.
  mutating func claim(_ user: FixedText, look: Bool) throws(ReaderError) {
    var fault = ReaderFault.noDevice
    let devices: BusMessage
    do throws(BusFailure) {
      devices = try bus.call(
        .told(owner), .fixed("/net/reactivated/Fprint/Manager"), "net.reactivated.Fprint.Manager", "GetDevices")
    } catch {
      throw ReaderError(error)
    }
    guard devices.enter("a", "o") else { throw ReaderError(ReaderFault.broken) }
    // A machine has one or two; a hostile answer has no end.
    for _ in 0..<16 {
      guard let path = devices.text("o") else { break }
      do throws(BusFailure) {
        let enrolled = try hasFinger(of: user, on: path)
        // "Busy" or "silent" says more than "nobody enrolled here", which says more than "no reader".
        if !enrolled {
          if fault == .noDevice { fault = .notEnrolled }
          continue
        }
        if look { return }
        try claim(path, for: user)
        return
      } catch {
        fault = ReaderError(error).fault
        // A daemon that does not answer for one reader does not answer for the next.
        if fault == .silent { break }
      }
    }
    throw ReaderError(fault)
  }

  private func hasFinger(of user: FixedText, on path: FixedText) throws(BusFailure) -> Bool {
    do throws(BusFailure) {
      let fingers = try bus.call(
        .told(owner), .told(path), Self.deviceInterface, "ListEnrolledFingers", .told(user))
      return fingers.enter("a", "s") && fingers.text() != nil
    } catch {
      if case .error(.noEnrolledPrints) = error { return false }
      throw error
    }
  }

  private mutating func claim(_ path: FixedText, for user: FixedText) throws(BusFailure) {
    _ = try bus.call(.told(owner), .told(path), Self.deviceInterface, "Claim", .told(user))
    device = path
    isClaimed = true
    var status = Line()
    status.append("type='signal',interface='net.reactivated.Fprint.Device',member='VerifyStatus',sender='")
    status.append(owner)
    status.append("'")
    try bus.match(status)
    var gone = Line()
    gone.append("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='")
    gone.append(owner)
    gone.append("'")
    try bus.match(gone)
    scan = try readScanType()
  }

  private func readScanType() throws(BusFailure) -> ScanType {
    let reply = try bus.call(
      .told(owner), .told(device), "org.freedesktop.DBus.Properties", "Get", .fixed("net.reactivated.Fprint.Device"),
      second: .fixed("scan-type"))
    guard reply.enter("v", "s"), let type = reply.text() else { return .press }
    return type.equals("swipe") ? .swipe : .press
  }

  /// Starts one verification with any finger. What came before does not belong to it and is dropped.
  mutating func start() throws(ReaderError) {
    do throws(BusFailure) {
      if isVerifying { try stopVerifying(milliseconds: 2_000) }
      while try bus.next() != nil {}
      // A reader that answers at once may send its result before fprintd sends its reply: it is kept and read by
      // `report`, since it came after our own start in our own claim.
      _ = try bus.call(.told(owner), .told(device), Self.deviceInterface, "VerifyStart", .fixed("any"))
      isVerifying = true
    } catch {
      throw ReaderError(error)
    }
  }

  /// What has come from fprintd; nil when nothing that matters has. Never waits.
  mutating func report() -> Report? {
    do throws(BusFailure) {
      while let message = try bus.next() {
        if message.isSignal("org.freedesktop.DBus", "NameOwnerChanged", from: FixedText("org.freedesktop.DBus")),
          isClaimed,
          message.text()?.equals(owner) == true
        {
          isClaimed = false
          isVerifying = false
          return .lost(.broken)
        }
        guard message.isSignal(Self.deviceInterface, "VerifyStatus", from: owner, path: device), isVerifying,
          let result = message.text(), let done = message.flag()
        else { continue }
        let report = read(result, done: done)
        if case .hint = report, done { try restart() }
        return report
      }
      return nil
    } catch {
      return .lost(.broken)
    }
  }

  /// The results of VerifyStatus. Only a match that is done is a match.
  private mutating func read(_ result: FixedText, done: Bool) -> Report {
    if result.equals("verify-match") { return done ? .matched : .lost(.broken) }
    if result.equals("verify-no-match") { return .didNotMatch }
    if result.equals("verify-retry-scan") { return .hint(.tryAgain) }
    if result.equals("verify-swipe-too-short") { return .hint(.tooShort) }
    if result.equals("verify-finger-not-centered") { return .hint(.notCentred) }
    if result.equals("verify-remove-and-retry") { return .hint(.removeAndRetry) }
    if result.equals("verify-disconnected") { return .lost(.noDevice) }
    return .lost(.broken)
  }

  /// fprintd's retries are not done; one that is would leave a reader that listens to nobody.
  private mutating func restart() throws(BusFailure) {
    do throws(ReaderError) {
      try start()
    } catch {
      throw BusFailure.broken
    }
  }

  private mutating func stopVerifying(milliseconds: UInt64) throws(BusFailure) {
    isVerifying = false
    _ = try bus.call(
      .told(owner), .told(device), Self.deviceInterface, "VerifyStop", milliseconds: milliseconds)
  }

  /// Stop and Release, always; short, since the bus frees the claim of whoever leaves it.
  mutating func release() {
    do throws(BusFailure) {
      if isVerifying { try stopVerifying(milliseconds: 400) }
      if isClaimed {
        isClaimed = false
        _ = try bus.call(.told(owner), .told(device), Self.deviceInterface, "Release", milliseconds: 400)
      }
    } catch {
      isClaimed = false
    }
  }
}
