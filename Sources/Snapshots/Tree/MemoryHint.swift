internal import CMemoryHints

/// Asks for memory that will soon be read, so that it is on its way while something else is done.
///
/// The memory need not be readable: a hint is never wrong. The calls are not generic and not inlined
/// into users' code, which then need not see the C module; so each asks for as much as it can at once.
@usableFromInline
package enum MemoryHint {
  /// Asks for the bytes from an address on.
  @usableFromInline
  package static func willRead(_ start: UnsafeRawPointer, byteCount: Int) {
    hints_prefetch(start, byteCount)
  }

  /// Asks for all bytes of a buffer.
  @usableFromInline
  package static func willRead(_ bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress { hints_prefetch(start, bytes.count) }
  }

  /// Asks for the first bytes of objects, to be written to.
  @usableFromInline
  package static func willCount(_ objects: UnsafePointer<UnsafeRawPointer>, count: Int) {
    hints_prefetch_objects(objects, count)
  }

  /// Asks for the slots of a hash table to which hashes lead.
  @usableFromInline
  package static func willProbe(
    _ slots: UnsafePointer<UInt32>, hashes: UnsafePointer<UInt32>, count: Int, mask: Int
  ) {
    hints_prefetch_elements(slots, hashes, count, mask)
  }

  /// Asks for the slot of a hash table to which a hash leads.
  @usableFromInline
  package static func willProbe(_ slots: UnsafePointer<UInt32>, hash: UInt32, mask: Int) {
    hints_prefetch(slots + (Int(hash) & mask), 1)
  }
}
