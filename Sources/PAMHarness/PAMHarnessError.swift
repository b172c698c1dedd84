/// Why a transaction could not be set up. What libpam or a module does is never an error but a `PAMRun`.
public enum PAMHarnessError: Error, Equatable, Sendable {
  /// A name that is no file name, or a service with capitals: libpam lower-cases the service's name and would never
  /// find the file.
  case badServiceName(String)
  /// The private folder, and the reason.
  case cannotWrite(String)
  /// No memory for the transcript.
  case outOfMemory
}
