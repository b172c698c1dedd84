import CPlatform
import SystemInterface

/// `main` of localauth-helper; the Makefile links it under that name.
@c(localauth_helper_main)
public func localauthHelperMain(
  _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  // SAFETY: argc and argv are the kernel's own; `Hardening` looks at the count first.
  switch unsafe Hardening.run(argc, argv) {
  case .failure(let refusal):
    Log.error(refusal.code.text)
    return refusal.code.rawValue
  case .success(let start): return serve(start)
  }
}

/// One request, one process.
private func serve(_ start: Hardening.Start) -> CInt {
  // Children get no copy of the connection, and fd 0 of theirs leads nowhere.
  let connection = localauth_duplicate(0, 3)
  guard connection >= 0 else { return Hardening.Refusal.broken.rawValue }
  let channel = FrameChannel(Descriptor(owning: connection))
  guard let caller = Caller(road: start.road, realUID: start.realUID, connection: channel.raw),
    closeStandardInput()
  else { return Hardening.Refusal.noConnection.rawValue }
  Session(channel: channel, caller: caller).run()
  return 0
}

private func closeStandardInput() -> Bool {
  let null = unsafe localauth_open("/dev/null", O_RDONLY)
  guard null >= 0 else { return false }
  defer { _ = close(null) }
  return dup2(null, 0) == 0
}
