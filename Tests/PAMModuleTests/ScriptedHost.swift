import AuthenticationCore
import CPAM
import CPlatform
import Foundation
import HelperProtocol
import Synchronization
import SystemInterface
import Testing

@testable import PAMModule

/// What a conversation was sent.
struct Message: Equatable, CustomStringConvertible {
  var style: CInt
  var text: String
  var description: String { "\(style):\(text)" }
}

/// A host over the real libpam, with a conversation that plays a script. Its process has threads, so it never races.
final class ScriptedHost {
  /// The reply to one message.
  enum Reply {
    case text(String)
    case code(CInt)
    /// Success without a response, or with one that has no text.
    case noResponse
    case noText
  }

  private(set) var messages: [Message] = []
  private var replies: [Reply]
  private let service: String

  init(_ replies: [Reply] = [], service: String = "test") {
    self.replies = replies
    self.service = service
  }

  /// The person who runs the test, whom every host may ask about.
  static let user: String = {
    guard let entry = unsafe getpwuid(getuid()) else {
      fatalError("these tests need a user: uid \(getuid()) has no name in passwd(5)")
    }
    return unsafe String(cString: entry.pointee.pw_name)
  }()

  /// Runs the module's authenticate against a helper played on another thread. nil when libpam cannot start.
  func authenticate(
    _ arguments: [String] = [], flags: CInt = 0, user: String = ScriptedHost.user, remoteHost: String? = nil,
    conversation: Bool = true, helper: @escaping @Sendable (FakeHelper) -> Void
  ) throws -> PAMCode {
    let pair = try Descriptor.socketPair()
    let done = DispatchSemaphore(value: 0)
    let ends = pair.split { (ours, theirs) -> (CInt, CInt) in (dup(ours.raw), dup(theirs.raw)) }
    Thread.detachNewThread {
      helper(FakeHelper(Descriptor(owning: ends.1)))
      done.signal()
    }
    defer { done.wait() }
    return try unsafe withHandle(user: user, remoteHost: remoteHost, conversation: conversation) { handle in
      let host = unsafe PAMHost(handle)
      var strings: [UnsafePointer<CChar>?] = unsafe arguments.map { unsafe UnsafePointer(strdup($0)) }
      defer { unsafe strings.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
      return unsafe strings.withUnsafeMutableBufferPointer { buffer in
        let values = unsafe Arguments(count: CInt(buffer.count), values: buffer.baseAddress)
        return PAMModule.authenticate(host, flags: flags, arguments: values) { _ throws(RoadFailure) in
          FrameChannel(Descriptor(owning: ends.0))
        }
      }
    }
  }

  private func withHandle<R>(
    user: String, remoteHost: String?, conversation: Bool, _ body: (OpaquePointer) -> R
  ) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "localauth-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try "auth required pam_permit.so\n".write(
      to: folder.appending(path: service), atomically: true, encoding: .utf8)
    // SAFETY: the handle ends before this object and the folder do; libpam copies every string.
    var talk = unsafe pam_conv(
      conv: conversation ? converse : nil, appdata_ptr: Unmanaged.passUnretained(self).toOpaque())
    var handle: OpaquePointer?
    let code = unsafe pam_start_confdir(service, user, &talk, folder.path, &handle)
    let started = unsafe try #require(code == PAM_SUCCESS ? handle : nil)
    defer { unsafe pam_end(started, PAM_SUCCESS) }
    if let remoteHost { _ = unsafe remoteHost.withCString { unsafe pam_set_item(started, PAM_RHOST, $0) } }
    return unsafe body(started)
  }

  fileprivate func reply(_ message: Message) -> Reply {
    messages.append(message)
    if message.style == PAM_TEXT_INFO || message.style == PAM_ERROR_MSG { return .noText }
    return replies.isEmpty ? .code(PAM_CONV_ERR) : replies.removeFirst()
  }

  var isUsedUp: Bool { replies.isEmpty }
}

private func converse(
  _ count: CInt, _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
  _ responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  // SAFETY: the module's one message, and the host that `withHandle` keeps alive; calloc and strdup as pam_conv(3).
  guard count == 1, let context = unsafe context, let message = unsafe messages?[0],
    let responses = unsafe responses
  else { return PAM_CONV_ERR }
  let host = unsafe Unmanaged<ScriptedHost>.fromOpaque(context).takeUnretainedValue()
  let text = unsafe String(cString: message.pointee.msg)
  let reply = host.reply(Message(style: unsafe message.pointee.msg_style, text: text))
  if case .code(let code) = reply { return code }
  if case .noResponse = reply {
    unsafe responses.pointee = nil
    return PAM_SUCCESS
  }
  guard let room = unsafe calloc(1, MemoryLayout<pam_response>.size) else { return PAM_BUF_ERR }
  let response = unsafe room.bindMemory(to: pam_response.self, capacity: 1)
  if case .text(let answer) = reply { unsafe response.pointee.resp = strdup(answer) }
  unsafe responses.pointee = unsafe response
  return PAM_SUCCESS
}
