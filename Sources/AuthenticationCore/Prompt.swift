/// What the person is asked for.
public enum Ask: UInt8, CaseIterable, Sendable {
  /// A hidden prompt for the passcode.
  case passcode = 1
  /// A hidden prompt for the passcode while the reader listens.
  case passcodeOrFinger = 2
  /// A line that says to use the reader; nothing to type.
  case finger = 3

  public var wantsPasscode: Bool { self != .finger }
}

/// How a finger is put on the reader: fprintd's property `scan-type`.
public enum ScanType: UInt8, CaseIterable, Sendable {
  case press = 0
  case swipe = 1
}

/// What the person is told while the reader listens.
public enum Hint: UInt8, CaseIterable, Sendable {
  /// verify-retry-scan
  case tryAgain = 1
  /// verify-swipe-too-short
  case tooShort = 2
  /// verify-finger-not-centered
  case notCentred = 3
  /// verify-remove-and-retry
  case removeAndRetry = 4
  /// verify-no-match, with tries left
  case notRecognised = 5
  /// The last try was wrong as well; the passcode still counts.
  case triesUsed = 6
  case readerGone = 7
  case readerTimedOut = 8
  /// A reader that was slow to answer listens now.
  case readerReady = 9
  /// Too many fingers in a row were wrong.
  case readerLocked = 10
  /// Fingers were enrolled or deleted since the passcode was last right.
  case fingersChanged = 11
  /// Too many passcodes were wrong; "27 s" follows.
  case tryLater = 12
}

extension Ask {
  /// The words of the prompt: what is typed is hidden.
  public func text(_ scan: ScanType) -> StaticString {
    switch (self, scan) {
    case (.passcode, _): "Passcode: "
    case (.passcodeOrFinger, .press): "Passcode, or touch the reader: "
    case (.passcodeOrFinger, .swipe): "Passcode, or swipe the reader: "
    case (.finger, .press): "Touch the reader"
    case (.finger, .swipe): "Swipe your finger across the reader"
    }
  }
}

extension Hint {
  /// What can be done from here on: the prompt that is written again under the hint.
  public var leaves: Ask {
    switch self {
    case .triesUsed, .readerGone, .readerTimedOut, .readerLocked, .fingersChanged, .tryLater: .passcode
    case .tryAgain, .tooShort, .notCentred, .removeAndRetry, .notRecognised, .readerReady: .passcodeOrFinger
    }
  }

  public var text: StaticString {
    switch self {
    case .tryAgain: "Try the finger again"
    case .tooShort: "Swipe was too short, try again"
    case .notCentred: "Finger was not centred, try again"
    case .removeAndRetry: "Remove your finger and try again"
    case .notRecognised: "Finger not recognised, try again"
    case .triesUsed: "Finger not recognised: enter the passcode"
    case .readerGone: "The reader is gone: enter the passcode"
    case .readerTimedOut: "The reader has timed out: enter the passcode"
    case .readerReady: "The reader is ready: use it, or enter the passcode"
    case .readerLocked: "Too many wrong fingers: enter the passcode"
    case .fingersChanged: "The enrolled fingers are new or have changed: enter the passcode"
    case .tryLater: "Too many wrong passcodes: try again in "
    }
  }
}
