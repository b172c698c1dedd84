import CPlatform
import SystemInterface

/// The process that talks to fprintd: whatever the bus does to it, the parent goes on.
struct ReaderChild: ~Copyable {
  private let link: CInt
  private let user: FixedText

  init(link: CInt, user: FixedText) {
    self.link = link
    self.user = user
  }

  /// Claims a reader, tells the parent, and does what it says until it says stop or goes away.
  consuming func run(look: Bool) {
    do throws(ReaderError) {
      if look { try self.look() } else { try use() }
    } catch {
      tell(.unavailable(error.fault))
    }
  }

  private func look() throws(ReaderError) {
    var fprint = try Fprint()
    try fprint.claim(user, look: true)
    tell(.ready(fprint.scan))
  }

  /// The turn is ours until the reader is released.
  private func use() throws(ReaderError) {
    let turn = try takeTurn()
    var fprint = try Fprint()
    try claim(&fprint)
    tell(.ready(fprint.scan))
    serve(&fprint)
    fprint.release()
    _ = consume turn
  }

  /// Whoever was before us may be about to release the reader.
  private func takeTurn() throws(ReaderError) -> ReaderTurn {
    let deadline = Clock.now() &+ 400
    while true {
      switch ReaderTurn.take() {
      case .turn(let turn): return turn
      case .unusable: throw ReaderError(ReaderFault.noTurn)
      case .taken:
        if Clock.now() >= deadline || isToldBefore(Clock.now() &+ 20) { throw ReaderError(ReaderFault.taken) }
      }
    }
  }

  /// Nothing to wait for but time; the parent's word ends it early.
  private func isToldBefore(_ deadline: UInt64) -> Bool {
    (try? PollSet.wait(for: link, events: PollSet.readable, until: deadline)) ?? true
  }

  /// A reader that somebody just let go of may take a moment to be free.
  private func claim(_ fprint: inout Fprint) throws(ReaderError) {
    let deadline = Clock.now() &+ 400
    while true {
      do throws(ReaderError) {
        return try fprint.claim(user, look: false)
      } catch {
        guard error.fault == .busy, Clock.now() < deadline, !isToldBefore(Clock.now() &+ 50) else { throw error }
      }
    }
  }

  private func serve(_ fprint: inout Fprint) {
    var set = PollSet()
    while true {
      // Before waiting: sd-bus may have read more than one message already.
      while let report = fprint.report() {
        guard pass(report) else { return }
      }
      set.watch(0, link)
      set.watch(1, fprint.descriptor)
      do throws(SystemError) {
        _ = try set.wait(until: Clock.now() &+ 60_000)
      } catch {
        return
      }
      if set.isReady(0), !obey(&fprint) { return }
    }
  }

  /// Tells the parent; false when there is nothing more to do.
  private func pass(_ report: Fprint.Report) -> Bool {
    switch report {
    case .hint(let hint): tell(.hint(hint))
    case .didNotMatch: tell(.didNotMatch)
    case .matched:
      tell(.matched)
      return false
    case .lost(let fault):
      tell(.lost(fault))
      return false
    }
    return true
  }

  private func obey(_ fprint: inout Fprint) -> Bool {
    var byte: UInt8 = 0
    // SAFETY: one byte into a local.
    guard unsafe read(link, &byte, 1) == 1, ReaderCommand(rawValue: byte) == .start else { return false }
    do throws(ReaderError) {
      try fprint.start()
      return true
    } catch {
      tell(.lost(error.fault))
      return false
    }
  }

  private func tell(_ message: ReaderMessage) {
    let (kind, value) = message.bytes
    let bytes: InlineArray<2, UInt8> = [kind, value]
    _ = Descriptor.writeAll(link, bytes.span)
  }
}
