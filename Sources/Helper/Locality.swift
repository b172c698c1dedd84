/// Whether the reader may be asked for this request. Evidence is what the host and the kernel say, never the
/// environment.
struct Locality {
  let allowsReader: Bool
  /// Why not, for the log and for developers.
  let detail: StaticString

  static func find(_ request: Request, _ caller: borrowing Caller) -> Locality {
    // Only a uid-0 host's word counts, and it can only deny; any host name is somewhere else, also "localhost".
    if !request.remoteHost.isEmpty {
      return Locality(allowsReader: false, detail: "the request comes from another host")
    }
    if request.service.equals("sshd") { return Locality(allowsReader: false, detail: "this session is remote") }
    if !caller.processIsCertain {
      return Locality(allowsReader: false, detail: "the asking process is not known for sure")
    }
    return Locality(allowsReader: true, detail: "")
  }
}
