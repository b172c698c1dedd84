internal import CPAM
private import Glibc

/// The replies of one call of a conversation function, allocated as pam_conv(3) demands: one array and a text each,
/// all from malloc(3), for the module to free. Unless they are handed over they are wiped and freed here.
@safe struct ResponseArray: ~Copyable {
  private let array: UnsafeMutablePointer<pam_response>
  private let count: Int

  /// Replies that are all NULL; nil when there is no memory.
  init?(count: Int) {
    // SAFETY: calloc's zeroes are a valid pam_response, `count` times.
    guard let block = unsafe calloc(count, MemoryLayout<pam_response>.stride) else { return nil }
    unsafe array = block.bindMemory(to: pam_response.self, capacity: count)
    self.count = count
  }

  deinit {
    // SAFETY: each text is NULL or a C string of `fill`'s, and nobody else has the array.
    for index in 0..<count {
      guard let text = unsafe array[index].resp else { continue }
      unsafe explicit_bzero(text, strlen(text))
      unsafe free(text)
    }
    unsafe free(array)
  }

  /// Sets a text, once for each index; false when there is no memory.
  mutating func fill(_ index: Int, _ bytes: some Collection<UInt8>) -> Bool {
    guard index >= 0, index < count else { return false }
    // SAFETY: one byte more than is copied, and zeroed: a C string whatever the bytes are.
    guard let block = unsafe calloc(bytes.count + 1, 1) else { return false }
    unsafe UnsafeMutableRawBufferPointer(start: block, count: bytes.count).copyBytes(from: bytes)
    unsafe array[index].resp = block.assumingMemoryBound(to: CChar.self)
    return true
  }

  /// Gives the array to the module, whose it is from now on.
  @unsafe consuming func handOver() -> UnsafeMutablePointer<pam_response> {
    let given = unsafe array
    discard self
    return unsafe given
  }
}
