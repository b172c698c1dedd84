internal import CPlatform

/// What poll(2) waits for: at most six descriptors, in a fixed place.
public struct PollSet: ~Copyable, Sendable {
  private var entries = InlineArray<6, pollfd>(repeating: pollfd(fd: -1, events: 0, revents: 0))

  public init() {}

  /// Waits for something to read, or the end, on `raw`; nil or a negative number switches the slot off.
  public mutating func watch(_ slot: Int, _ raw: CInt?, events: Int16 = PollSet.readable) {
    guard slot >= 0, slot < entries.count else { return }
    entries[slot] = pollfd(fd: raw ?? -1, events: events, revents: 0)
  }

  /// Waits until something happens or `deadline`, milliseconds of `Clock`. Returns whether anything did; a signal
  /// counts as nothing.
  public mutating func wait(until deadline: UInt64) throws(SystemError) -> Bool {
    let now = Clock.now()
    // Rounded up by one: never a millisecond early, which would spin.
    let left = deadline > now ? min(deadline &- now, 3_600_000) &+ 1 : 0
    var span = entries.mutableSpan
    // SAFETY: the pointer and the count are the span's own.
    let answer = unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe poll(buffer.baseAddress, nfds_t(buffer.count), CInt(truncatingIfNeeded: left))
    }
    if answer < 0 {
      let error = SystemError.last
      if error.code == EINTR { return false }
      throw error
    }
    return answer > 0
  }

  /// Whether there is something to read, or the other end is gone.
  public func isReady(_ slot: Int) -> Bool {
    guard slot >= 0, slot < entries.count else { return false }
    return entries[slot].fd >= 0 && entries[slot].revents != 0
  }

  /// Waits for one descriptor.
  public static func wait(for raw: CInt, events: Int16, until deadline: UInt64) throws(SystemError) -> Bool {
    var set = PollSet()
    set.watch(0, raw, events: events)
    while true {
      if try set.wait(until: deadline) { return true }
      if Clock.now() >= deadline { return false }
    }
  }

  /// The event of a descriptor that takes bytes again.
  public static var writable: Int16 { Int16(POLLOUT) }
  public static var readable: Int16 { Int16(POLLIN) }
}
