import CPlatform
import CSystemd
import SystemInterface

/// Why a call on the bus brought nothing: sd_bus_call(3).
enum BusFailure: Error {
  /// The name of the D-Bus error, as far as it matters here.
  case error(FprintError)
  case timedOut
  /// The bus itself is gone, or a message made no sense.
  case broken
}

/// Errors of net.reactivated.Fprint and org.freedesktop.DBus.
enum FprintError: Equatable {
  case permissionDenied, alreadyInUse, noSuchDevice, noEnrolledPrints, serviceUnknown, other

  fileprivate init(_ name: UnsafePointer<CChar>?) {
    guard let name = unsafe name else {
      self = .other
      return
    }
    func isNamed(_ text: StaticString) -> Bool {
      // SAFETY: both are C strings.
      unsafe text.withCString { unsafe strcmp($0, name) == 0 }
    }
    if isNamed("net.reactivated.Fprint.Error.NoEnrolledPrints") {
      self = .noEnrolledPrints
    } else if isNamed("net.reactivated.Fprint.Error.AlreadyInUse") {
      self = .alreadyInUse
    } else if isNamed("net.reactivated.Fprint.Error.NoSuchDevice") {
      self = .noSuchDevice
    } else if isNamed("net.reactivated.Fprint.Error.PermissionDenied") {
      self = .permissionDenied
    } else if isNamed("org.freedesktop.DBus.Error.ServiceUnknown")
      || isNamed("org.freedesktop.DBus.Error.NameHasNoOwner")
    {
      self = .serviceUnknown
    } else {
      self = .other
    }
  }
}

/// The system bus, at its fixed address: the environment was cleared before.
@safe struct Bus: ~Copyable {
  private let handle: OpaquePointer

  /// nil when there is none.
  ///
  /// sd-bus bounds a call, but not the greeting before the first one: a bus that accepts us and says nothing for two
  /// seconds ends this process, which is there to be lost.
  init?() {
    var handle: OpaquePointer? = nil
    var name: UnsafePointer<CChar>? = nil
    _ = alarm(2)
    // SAFETY: sd_bus_open_system(3) fills the pointer or fails; `deinit` gives it back. The name is not kept.
    guard unsafe sd_bus_open_system(&handle) >= 0, let handle = unsafe handle else { return nil }
    guard unsafe sd_bus_get_unique_name(handle, &name) >= 0 else {
      unsafe sd_bus_close_unref(handle)
      return nil
    }
    unsafe self.handle = handle
    _ = alarm(0)
  }

  deinit {
    // SAFETY: the one reference that `init` took. Closes without waiting for what is still unsent.
    unsafe sd_bus_close_unref(handle)
  }

  /// Where poll(2) finds something to read.
  var descriptor: CInt { unsafe sd_bus_get_fd(handle) }

  /// Calls a method with up to a string and a number, and waits for the answer, at most `milliseconds`.
  func call(
    _ destination: BusText, _ path: BusText, _ interface: StaticString, _ member: StaticString,
    _ first: BusText? = nil, second: BusText? = nil, number: UInt32? = nil, milliseconds: UInt64 = 2_000
  ) throws(BusFailure) -> BusMessage {
    guard let request = unsafe newCall(destination, path, interface, member) else { throw .broken }
    // SAFETY: the request is ours until the end of this function; sd-bus copies what is appended.
    defer { unsafe sd_bus_message_unref(request) }
    if let first { try unsafe append(first, to: request) }
    if let second { try unsafe append(second, to: request) }
    if var number {
      guard unsafe sd_bus_message_append_basic(request, code("u"), &number) >= 0 else { throw .broken }
    }
    var error = unsafe sd_bus_error(name: nil, message: nil, _need_free: 0)
    defer { unsafe sd_bus_error_free(&error) }
    var reply: OpaquePointer? = nil
    let answer = unsafe sd_bus_call(handle, request, milliseconds &* 1_000, &error, &reply)
    if answer < 0 {
      if answer == 0 &- ETIMEDOUT { throw .timedOut }
      guard unsafe sd_bus_error_is_set(&error) > 0 else { throw .broken }
      throw .error(unsafe FprintError(error.name))
    }
    guard let reply = unsafe reply else { throw .broken }
    return unsafe BusMessage(owning: reply)
  }

  @unsafe private func newCall(
    _ destination: BusText, _ path: BusText, _ interface: StaticString, _ member: StaticString
  ) -> OpaquePointer? {
    var request: OpaquePointer? = nil
    // SAFETY: all strings outlive the call, which copies them into the message.
    let made = unsafe destination.withCString { destination in
      unsafe path.withCString { path in
        unsafe BusText.fixed(interface).withCString { interface in
          unsafe BusText.fixed(member).withCString { member in
            unsafe sd_bus_message_new_method_call(handle, &request, destination, path, interface, member)
          }
        }
      }
    }
    return made >= 0 ? unsafe request : nil
  }

  @unsafe private func append(_ text: BusText, to request: OpaquePointer) throws(BusFailure) {
    // SAFETY: the text outlives the call, which copies it.
    let answer = unsafe text.withCString { unsafe sd_bus_message_append_basic(request, code("s"), $0) }
    guard answer >= 0 else { throw .broken }
  }

  /// Asks for signals; they come out of `next`.
  func match(_ rule: Line) throws(BusFailure) {
    // SAFETY: the rule is copied; a match without callback only makes the bus deliver. Nobody waits for the bus's
    // answer: it handles one connection's messages in their order, so the rule stands before what is called next.
    let code = unsafe rule.withCString { unsafe sd_bus_add_match_async(handle, nil, $0, nil, nil, nil) }
    guard let code, code >= 0 else { throw .broken }
  }

  /// The next message that has come, or nil; never waits.
  func next() throws(BusFailure) -> BusMessage? {
    while true {
      var message: OpaquePointer? = nil
      // SAFETY: sd_bus_process(3) fills the pointer with a reference of ours, or leaves it NULL.
      let code = unsafe sd_bus_process(handle, &message)
      guard code >= 0 else { throw .broken }
      if let message = unsafe message { return unsafe BusMessage(owning: message) }
      if code == 0 { return nil }
    }
  }
}

/// A D-Bus type code, as the C interface wants it.
private func code(_ type: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: type)) }

/// A text that goes onto the bus: fixed, or one that was told.
enum BusText {
  case fixed(StaticString)
  case told(FixedText)

  @unsafe func withCString<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    switch self {
    case .fixed(let text):
      unsafe text.withCString { unsafe body($0) }
    case .told(let text): unsafe text.withCString { unsafe body($0) } ?? body(nil)
    }
  }
}

/// A message; given back when it goes.
@safe struct BusMessage: ~Copyable {
  private let handle: OpaquePointer

  @unsafe fileprivate init(owning handle: OpaquePointer) { unsafe self.handle = handle }

  deinit {
    // SAFETY: the one reference that `init` took over.
    unsafe sd_bus_message_unref(handle)
  }

  /// The next field, a string or an object path; nil when it is something else. Too long counts as something else.
  func text(_ type: Unicode.Scalar = "s") -> FixedText? {
    var text: UnsafePointer<CChar>? = nil
    // SAFETY: the pointer is the message's own and is copied here.
    guard unsafe sd_bus_message_read_basic(handle, code(type), &text) > 0 else { return nil }
    return unsafe FixedText(text)
  }

  func number() -> UInt32? {
    var value: UInt32 = 0
    // SAFETY: "u" is 32 bits.
    return unsafe sd_bus_message_read_basic(handle, code("u"), &value) > 0 ? value : nil
  }

  func flag() -> Bool? {
    var value: CInt = 0
    // SAFETY: sd-bus reads "b" into an int.
    return unsafe sd_bus_message_read_basic(handle, code("b"), &value) > 0 ? value != 0 : nil
  }

  /// Goes into an array or a variant of one type.
  func enter(_ container: Unicode.Scalar, _ contents: StaticString) -> Bool {
    // SAFETY: the contents are a C string.
    unsafe BusText.fixed(contents).withCString {
      unsafe sd_bus_message_enter_container(handle, code(container), $0) > 0
    }
  }

  /// Whether it is this signal, from this very sender and object.
  func isSignal(_ interface: StaticString, _ member: StaticString, from sender: FixedText, path: FixedText? = nil)
    -> Bool
  {
    // SAFETY: sender and path are the message's own C strings, compared before it goes.
    let isIt = unsafe BusText.fixed(interface).withCString { interface in
      unsafe BusText.fixed(member).withCString { unsafe sd_bus_message_is_signal(handle, interface, $0) > 0 }
    }
    guard isIt, let from = unsafe FixedText(unsafe sd_bus_message_get_sender(handle)), from.equals(sender) else {
      return false
    }
    guard let path else { return true }
    guard let at = unsafe FixedText(unsafe sd_bus_message_get_path(handle)) else { return false }
    return at.equals(path)
  }
}
