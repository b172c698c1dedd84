import AuthenticationCore
import Testing

@Suite struct `Whereabouts: where the person is` {
  private static let sessions = [false, true].flatMap { remote in
    [false, true].map { SessionFacts(isRemote: remote, isActive: $0) }
  }
  private static let logins: [LoginState] =
    [.noManager, .unknown, .noSession(display: nil)] + sessions.map { .session($0) }
    + sessions.map { .noSession(display: $0) }

  /// Every combination of facts.
  static let all: [Whereabouts] = (0..<512).flatMap { bits in
    logins.map { login in
      var place = Whereabouts()
      place.namesRemoteHost = bits & 1 != 0
      place.isRemoteLogin = bits & 2 != 0
      place.isCertain = bits & 4 != 0
      place.isRootHost = bits & 8 != 0
      place.isOnConsole = bits & 16 != 0
      place.terminalIsRemote = bits & 32 != 0
      place.descendsFromRemoteLogin = bits & 64 != 0
      place.isShownElsewhere = bits & 128 != 0
      place.isBackground = bits & 256 != 0
      place.login = login
      return place
    }
  }

  @Test func `any sign of another machine denies, whatever else is true`() {
    for place in Self.all
    where place.namesRemoteHost || place.isRemoteLogin || place.terminalIsRemote || place.descendsFromRemoteLogin {
      #expect(place.denial() == .remote)
    }
  }

  @Test func `a terminal that somebody else may see denies, whatever else is true`() {
    for place in Self.all where place.isShownElsewhere { #expect(place.denial() != nil) }
  }

  @Test func `a background job denies, whatever else is true`() {
    for place in Self.all where place.isBackground { #expect(place.denial() != nil) }
  }

  @Test func `doubt denies`() {
    for place in Self.all where !place.isCertain || place.login == .unknown { #expect(place.denial() != nil) }
  }

  @Test func `where logind runs, only somebody in front of a session, or a root host on a console, is allowed`() {
    for place in Self.all where place.denial() == nil {
      switch place.login {
      case .noManager: break
      case .session(let session), .noSession(let session?): #expect(session.isInFront)
      case .noSession(nil): #expect(place.isRootHost && place.isOnConsole)
      case .unknown: Issue.record("allowed without knowing")
      }
    }
  }

  @Test(
    arguments: [
      (LoginState.noManager, nil),
      (.session(SessionFacts(isRemote: false, isActive: true)), nil),
      (.session(SessionFacts(isRemote: false, isActive: false)), .notInFront),
      (.session(SessionFacts(isRemote: true, isActive: true)), .remote),
      (.noSession(display: SessionFacts(isRemote: false, isActive: true)), nil),
      (.noSession(display: SessionFacts(isRemote: true, isActive: true)), .remote),
      (.noSession(display: nil), .noSession),
      (.unknown, .unknown),
    ] as [(LoginState, Whereabouts.Denial?)])
  func `a host with nothing else to say`(login: LoginState, denial: Whereabouts.Denial?) {
    var place = Whereabouts()
    place.login = login
    #expect(place.denial() == denial)
  }

  @Test func `a greeter has no session yet, and stands on a console`() {
    var place = Whereabouts()
    place.login = .noSession(display: nil)
    place.isRootHost = true
    #expect(place.denial() == .noSession)
    place.isOnConsole = true
    #expect(place.denial() == nil)
  }

  @Test(arguments: Whereabouts.Denial.allCases) func `each denial says why`(denial: Whereabouts.Denial) {
    #expect(denial.text.utf8CodeUnitCount > 10)
  }
}
