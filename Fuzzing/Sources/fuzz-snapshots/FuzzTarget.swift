import _TestTools

/// Takes what it decides from the fuzzer's bytes: whatever they are, they say which edits are made.
struct ByteGenerator: RandomNumberGenerator {
  var bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  var isAtEnd: Bool { position >= bytes.count }

  mutating func next() -> UInt64 {
    // Ranges are chosen from by the upper bits. The lower ones must not be zero: a number too close to the
    // edge of a range is refused and another asked for.
    let byte = isAtEnd ? 0 : bytes[position]
    position += 1
    return UInt64(byte) << 56 | 0x0055_5555_5555_5555
  }
}

/// Runs the history that the bytes say, on the snapshot and on the naive model, and stops where they disagree.
func fuzz(_ bytes: UnsafeBufferPointer<UInt8>) {
  var generator = ByteGenerator(bytes: bytes)
  var checker = SnapshotChecker()
  var kept = checker
  while !generator.isAtEnd {
    let choice = generator.next() >> 56
    if choice > 240 {
      kept = checker
      continue
    }
    let edit = SnapshotEdit.random(items: 24, sections: 4, using: &generator)
    let problem = checker.run(edit)
    precondition(problem == nil, "\(edit): \(problem ?? "")")
  }
  let problem =
    checker.disagreement(items: 24, sections: 4) ?? checker.differenceDisagreement(from: kept)
    ?? kept.differenceDisagreement(from: checker)
  precondition(problem == nil, "\(kept.real) and \(checker.real): \(problem ?? "")")
}

/// The function that the fuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
nonisolated public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzz(UnsafeBufferPointer(start: start, count: count))
  return 0
}
