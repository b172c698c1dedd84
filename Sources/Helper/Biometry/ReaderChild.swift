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
      var fprint = try Fprint()
      try claim(&fprint, look: look)
      tell(.ready(fprint.scan))
      if !look { serve(&fprint) }
      fprint.release()
    } catch {
      tell(.unavailable(error.fault))
    }
  }

  /// A reader that somebody just let go of may take a moment to be free.
  private func claim(_ fprint: inout Fprint, look: Bool) throws(ReaderError) {
    let deadline = Clock.now() &+ 400
    while true {
      do throws(ReaderError) {
        return try fprint.claim(user, look: look)
      } catch {
        guard error.fault == .busy, Clock.now() < deadline else { throw error }
        // Nothing to wait for but time; the parent's word ends it early.
        if let heard = try? PollSet.wait(for: link, events: PollSet.readable, until: Clock.now() &+ 50), heard {
          throw error
        }
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
