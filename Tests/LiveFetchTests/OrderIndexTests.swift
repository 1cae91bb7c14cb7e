import _TestTools
import Testing

@testable import LiveFetch

@Suite("The ordered index")
struct OrderIndexTests {
  @Test(
    "It agrees with a sorted array under random insertions and removals", arguments: [1, 2, 3] as [UInt64])
  func random(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    var index = OrderIndex()
    var keys: [[UInt8]] = []
    for step in 0..<6_000 {
      let isGrowing = (step / 1_500) % 2 == 0
      if keys.isEmpty || Int.random(in: 0..<10, using: &random) < (isGrowing ? 8 : 2) {
        let key =
          (0..<Int.random(in: 1...4, using: &random)).map { _ in UInt8.random(in: 0...5, using: &random) }
          + (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
        let position = keys.firstIndex { !$0.lexicographicallyPrecedes(key) } ?? keys.count
        let isThere = position < keys.count && keys[position] == key
        let found = index.position(of: key)
        #expect(found.position == position && found.isPresent == isThere)
        let inserted = index.insert(key)
        #expect(inserted == (isThere ? nil : position))
        if !isThere { keys.insert(key, at: position) }
      } else {
        let position = Int.random(in: 0..<keys.count, using: &random)
        #expect(index.key(at: position) == keys[position])
        index.remove(at: position)
        keys.remove(at: position)
      }
      #expect(index.count == keys.count)
    }
    #expect((0..<keys.count).allSatisfy { index.key(at: $0) == keys[$0] }, "seed \(seed)")
  }

  @Test(
    "Batches agree with a sorted array, whatever they split, empty and join",
    arguments: inTurns(Array(1...6) as [UInt64], of: 2))
  func batches(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var index = OrderIndex()
    var keys: [[UInt8]] = []
    for step in 0..<120 {
      let isGrowing = (step / 30) % 2 == 0
      let fresh = (0..<Int.random(in: 0...(isGrowing ? 400 : 20), using: &random)).map { _ in
        (0..<Int.random(in: 1...4, using: &random)).map { _ in UInt8.random(in: 0...5, using: &random) }
          + (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      let share = Int.random(in: 0...(isGrowing ? 9 : 2), using: &random)
      // Here and there a run of neighbours, so that whole leaves go.
      let run = Int.random(in: 0...max(1, keys.count), using: &random)
      let removed = keys.indices.filter {
        Int.random(in: 0...9, using: &random) > share + 5 || run..<run + 300 ~= $0
      }
      let leaving = Set(removed)
      // A key that leaves may come again.
      let again = removed.filter { _ in Int.random(in: 0...3, using: &random) == 0 }.map { keys[$0] }
      let known = Set(keys)
      let coming = Set(fresh).subtracting(known).union(again).sorted { $0.lexicographicallyPrecedes($1) }
      let found = index.gaps(for: coming, isLeaving: leaving.contains)
      let gaps = try #require(found)
      #expect(
        gaps.map(\.position)
          == coming.map { key in keys.firstIndex { !$0.lexicographicallyPrecedes(key) } ?? keys.count })
      index.edit(removing: removed, inserting: coming, at: gaps)
      keys = (keys.enumerated().filter { !leaving.contains($0.offset) }.map(\.element) + coming)
        .sorted { $0.lexicographicallyPrecedes($1) }
      #expect(index.count == keys.count)
      #expect((0..<keys.count).allSatisfy { index.key(at: $0) == keys[$0] }, "seed \(seed), step \(step)")
      #expect(
        keys.enumerated().allSatisfy { index.position(of: $1) == ($0, true) }, "seed \(seed), step \(step)")
      if let key = keys.randomElement(using: &random) {
        #expect(index.gaps(for: [key], isLeaving: { _ in false }) == nil, "it is there")
        #expect(index.gaps(for: [key, key], isLeaving: { _ in true }) == nil, "it is named twice")
      }
    }
  }

  @Test("Keys that come in order make the same index")
  func building() {
    var builder = OrderIndex.Builder()
    for number in 0..<5_000 {
      let isTaken = builder.append(withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) })
      #expect(isTaken)
    }
    let last = withUnsafeBytes(of: UInt32(4_999).bigEndian) { Array($0) }
    let areTaken = [builder.append(last), builder.append([])]
    #expect(areTaken == [false, false], "what is not after the last key is not taken")
    let index = builder.build()
    #expect(index.count == 5_000)
    #expect(
      (0..<5_000).allSatisfy { index.key(at: $0) == withUnsafeBytes(of: UInt32($0).bigEndian) { Array($0) } })
  }

  #if DEBUG
    @Test("A key is found in as many comparisons as the logarithm says", arguments: [1_000, 100_000])
    func comparisons(size: Int) {
      var builder = OrderIndex.Builder()
      for number in 0..<size {
        _ = builder.append(withUnsafeBytes(of: UInt32(number * 2).bigEndian) { Array($0) })
      }
      var index = builder.build()
      // Halving is counted up, and a comparison is added for each search, and one that looks for the key itself.
      let most = Int.bitWidth - size.leadingZeroBitCount + 4
      let new = (0..<100).map { number in
        withUnsafeBytes(of: UInt32(number * (size / 100) * 2 + 1).bigEndian) { Array($0) }
      }
      let found = KeyCounters.comparisons { for key in new { _ = index.position(of: key) } }
      #expect((100 * 8...100 * most).contains(found), "\(found) to find a hundred")
      let gaps = KeyCounters.comparisons { _ = index.gaps(for: new, isLeaving: { _ in false }) }
      #expect((100 * 8...100 * (most + 4)).contains(gaps), "\(gaps) to find a hundred, one after another")
      let inserted = KeyCounters.comparisons { for key in new { _ = index.insert(key) } }
      #expect((100 * 8...100 * most).contains(inserted), "\(inserted) to insert a hundred")
    }
  #endif
}

@Suite("Order keys")
struct OrderKeyTests {
  static func component(_ type: FetchColumnType, descending: Bool = false, nullsFirst: Bool = true)
    -> OrderComponent
  {
    OrderComponent(
      column: 0, name: "x", type: type, source: .value, isDescending: descending, nullsFirst: nullsFirst)
  }

  static let values: [(FetchColumnType, [FetchValue])] = [
    (
      .integer,
      [.null, .integer(.min), .integer(-1), .integer(0), .integer(1), .integer(256), .integer(.max)]
    ),
    (
      .real,
      [
        .null, .real(-.infinity), .real(-1e300), .real(-1), .real(-.leastNonzeroMagnitude), .real(0),
        .real(.leastNonzeroMagnitude), .integer(1), .real(1.5), .real(.infinity),
      ]
    ),
    (
      .text,
      [
        .null, .text(""), .text("\0"), .text("\0\0"), .text("\0a"), .text("a"), .text("a\0"), .text("a\0b"),
        .text("ab"), .text("b"), .text("e\u{301}"), .text("é"), .text("\u{10FFFF}"),
      ]
    ),
    (.blob, [.null, .blob([]), .blob([0]), .blob([0, 0xFF]), .blob([1]), .blob([0xFF]), .blob([0xFF, 0])]),
  ]

  @Test("Bytes compare as the values do, in either direction, whatever follows", arguments: values)
  func order(_ type: FetchColumnType, _ values: [FetchValue]) {
    for descending in [false, true] {
      for nullsFirst in [false, true] {
        let component = Self.component(type, descending: descending, nullsFirst: nullsFirst)
        let tails: [FetchValue] = [.null, .text(""), .text("\u{10FFFF}")]
        for a in values {
          for b in values {
            for tail in tails {
              let expected: Bool
              let order = a.compare(b)
              if order == 0 {
                expected = false
              } else if a.isNull || b.isNull {
                expected = a.isNull == nullsFirst
              } else {
                expected = descending ? order > 0 : order < 0
              }
              let first = Self.key([(a, component), (tail, Self.component(.text))])
              let second = Self.key([(b, component), (tails[1], Self.component(.text))])
              if order != 0 { #expect(first.lexicographicallyPrecedes(second) == expected, "\(a) \(b)") }
            }
          }
        }
      }
    }
  }

  @Test("A key reads back as what was written, in either direction", arguments: values)
  func reading(_ type: FetchColumnType, _ values: [FetchValue]) {
    for descending in [false, true] {
      for value in values {
        for id: (FetchValue, FetchColumnType) in [
          (.integer(.max), .integer), (.text("\0x"), .text),
          (.blob(Array(repeating: 0xFF, count: 16)), .uuid),
        ] {
          let first = Self.component(type, descending: descending, nullsFirst: false)
          let second = Self.component(.text, descending: !descending)
          var writer = OrderKeyWriter()
          let taken = [
            writer.append(value, first), writer.append(.text("z\0"), second),
            writer.append(value, first), writer.appendIdentifier(id.0, id.1),
          ]
          #expect(taken == [true, true, true, true])
          var reader = OrderKeyReader(writer.bytes)
          let read = [reader.next(first.part), reader.next(second.part), reader.next(first.part)]
          // A whole number in a column of floating-point numbers is read as one of those.
          #expect(read[0]?.compare(value) == 0 && read[2]?.compare(value) == 0, "\(value)")
          #expect(read[1] == .text("z\0") && reader.identifier(id.1) == id.0)
        }
      }
    }
  }

  @Test("A primary key that begins with FF or 00 is not taken for more of the text before it")
  func openText() {
    for (byte, descending): (UInt8, Bool) in [(0xFF, false), (0, true)] {
      let text = Self.component(.text, descending: descending)
      func key(_ value: String) -> [UInt8] {
        var writer = OrderKeyWriter()
        let taken = [
          writer.append(.text(value), text),
          writer.appendIdentifier(.blob(Array(repeating: byte, count: 16)), .uuid),
        ]
        #expect(taken == [true, true])
        return writer.bytes
      }
      let (short, long) = (key("a"), key("a\0b"))
      #expect(short.lexicographicallyPrecedes(long) != descending)
      #expect(long.lexicographicallyPrecedes(short) == descending)
    }
  }

  @Test("A key is the same whatever its writer has written before", arguments: values)
  func writtenAgain(_ type: FetchColumnType, _ values: [FetchValue]) {
    let ids: [(FetchValue, FetchColumnType)] = [
      (.integer(.max), .integer), (.integer(.min), .date), (.real(-1), .real), (.text("a"), .text),
      (.text(""), .uuidText),
      (.blob([0xFF]), .blob), (.blob(Array(repeating: 7, count: 16)), .uuid),
    ]
    for descending in [false, true] {
      let component = Self.component(type, descending: descending, nullsFirst: false)
      for parts in values.map({ [$0] }) + [[]] {
        func write(_ id: (FetchValue, FetchColumnType), with writer: inout OrderKeyWriter) -> [UInt8] {
          let start = writer.bytes.count
          for value in parts where !writer.append(value, component) { Issue.record("\(value) has no key") }
          if !writer.appendIdentifier(id.0, id.1) { Issue.record("\(id) has no key") }
          return Array(writer.bytes[start...])
        }
        for id in ids {
          var fresh = OrderKeyWriter()
          let key = write(id, with: &fresh)
          for other in ids {
            var writer = OrderKeyWriter()
            _ = write(other, with: &writer)
            var keys = [write(id, with: &writer)]
            writer.reset()
            keys.append(write(id, with: &writer))
            writer.reset()
            for value in parts { _ = writer.append(value, component) }
            let mark = writer.mark
            _ = writer.appendIdentifier(other.0, other.1)
            writer.rewind(to: mark)
            _ = writer.appendIdentifier(id.0, id.1)
            keys.append(writer.bytes)
            _ = writer.append(.text("left"), Self.component(.text))
            writer.forget(from: 0)
            keys.append(write(id, with: &writer))
            writer.append(key)
            keys.append(write(id, with: &writer))
            // Behind another, after a reset, rewound, after one that was dropped, and behind one that was there.
            #expect(keys.allSatisfy { $0 == key }, "\(parts), \(id) after \(other)")
          }
        }
      }
    }
  }

  static func key(_ parts: [(FetchValue, OrderComponent)]) -> [UInt8] {
    var writer = OrderKeyWriter()
    for (value, component) in parts where !writer.append(value, component) {
      Issue.record("\(value) has no key")
    }
    return writer.bytes
  }

  @Test("The two zeros have one key, and a value of another type has none")
  func edges() {
    let real = Self.component(.real)
    #expect(Self.key([(.real(0), real)]) == Self.key([(.real(-0.0), real)]))
    #expect(Self.key([(.real(3), real)]) == Self.key([(.integer(3), real)]))
    var writer = OrderKeyWriter()
    let taken = [
      writer.append(.text("3"), real), writer.appendIdentifier(FetchValue.null, .integer),
      writer.appendIdentifier(.blob([1]), .uuid),
    ]
    #expect(taken == [false, false, false])
  }
}
