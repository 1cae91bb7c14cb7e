import NIOCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads the bytes of an archive in portions, straight into buffers that are used again as soon as whoever got them is
/// done with them. Its calls block.
package final class ArchiveReader: Sendable {
  private struct State {
    var pieces: ArraySlice<ZipArchive.Piece>
    /// The number of bytes that were read of the first piece.
    var offset = 0
    /// The checksum of that, where the piece is a file.
    var checksum = CRC32()
    /// The file of the first piece, or -1 where it is not open.
    var descriptor: CInt = -1
    var buffers: [ByteBuffer] = []
    var turn = 0
  }

  /// How much is read at once: enough that going from thread to thread costs little beside it, and little enough that it
  /// is still in the processor's cache when it is sent, and that many readers who do not read cost little.
  private static let portion = 128 << 10
  /// One that is filled, one that is sent, and one that the network may still hold.
  private static let bufferCount = 3
  /// The memory that a reader takes at most.
  package static let memory = (bufferCount + 1) * portion

  private let state: Mutex<State>
  /// The files' titles in messages, by their paths.
  private let titles: [String: String]

  init(_ pieces: [ZipArchive.Piece], titles: [String: String] = [:]) {
    state = Mutex(State(pieces: pieces[...]))
    self.titles = titles
  }

  deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

  /// The next bytes, or `nil` at the end.
  ///
  /// - Throws: `ContactSheetError` where a file is gone, or is not what was imported; before its last byte is given.
  func next() throws -> ByteBuffer? {
    try state.withLock { state in
      guard !state.pieces.isEmpty else { return nil }
      if state.buffers.count < Self.bufferCount {
        state.turn = state.buffers.count
        state.buffers.append(ByteBufferAllocator().buffer(capacity: Self.portion))
      } else {
        state.turn = (state.turn + 1) % Self.bufferCount
        // Where somebody still has it, this makes another in its place.
        state.buffers[state.turn].clear()
      }
      while state.buffers[state.turn].readableBytes < Self.portion, let piece = state.pieces.first {
        try read(piece, &state)
      }
      return state.buffers[state.turn]
    }
  }

  /// Reads more of the first piece, and goes on to the next where that was the end.
  private func read(_ piece: ZipArchive.Piece, _ state: inout State) throws {
    let turn = state.turn
    let room = Self.portion - state.buffers[turn].readableBytes
    let size: Int
    switch piece {
    case .bytes(let bytes):
      size = bytes.count
      state.buffers[turn].writeBytes(bytes[state.offset..<min(size, state.offset + room)])
      state.offset = min(size, state.offset + room)
    case .file(let path, let length, let checksum):
      size = length
      if state.descriptor < 0 { state.descriptor = (try? Files.openRegular(path)) ?? -1 }
      guard state.descriptor >= 0 else { throw damaged(path) }
      let (descriptor, wanted) = (state.descriptor, min(room, size - state.offset))
      var count = 0
      if wanted > 0 {
        state.buffers[turn].writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { target in
          repeat {
            count = Self.read(descriptor, target.baseAddress, wanted)
          } while count < 0 && errno == EINTR
          return max(0, count)
        }
        guard count > 0 else { throw damaged(path) }
        let buffer = state.buffers[turn]
        buffer.withUnsafeReadableBytes { bytes in
          state.checksum.update(UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - count)...]))
        }
      }
      state.offset += count
      if state.offset >= size, state.checksum.value != checksum { throw damaged(path) }
    }
    guard state.offset >= size else { return }
    if state.descriptor >= 0 { close(state.descriptor) }
    state.descriptor = -1
    state.offset = 0
    state.checksum = CRC32()
    state.pieces.removeFirst()
  }

  private static func read(_ descriptor: CInt, _ target: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, target, count)
    #elseif canImport(Musl)
      Musl.read(descriptor, target, count)
    #else
      Darwin.read(descriptor, target, count)
    #endif
  }

  private func damaged(_ path: String) -> ContactSheetError {
    ContactSheetError(
      .damaged,
      "The file of “\(titles[path] ?? path)” is missing or damaged, so the album was not exported. “contact-sheet check”"
        + " says more; importing the photo again mends it.")
  }
}
