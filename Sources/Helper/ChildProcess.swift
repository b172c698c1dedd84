import CPlatform

/// What every child process of the helper does first.
enum ChildProcess {
  /// Moves `descriptor` to fd 3 and closes everything behind it: the child holds no copy of the peer's connection,
  /// so that its end is the helper's end. What a PAM module executes gets
  /// neither: over fd 3 it could give the verdict.
  static func keepOnly(_ descriptor: CInt) -> CInt? {
    if descriptor != 3 { guard localauth_replace(3, descriptor) == 3 else { return nil } }
    guard localauth_close_from(4) >= 0 else { return nil }
    return 3
  }
}
