import Foundation
import OrderedCollections
import Snapshots

/// The promises of snapshots, measured on UUIDs beside their peers.
enum SnapshotSuite {
  typealias Snapshot = DiffableSnapshot<Int, UUID>
  typealias Contents = [(Int, [UUID])]

  /// Seeded, so that every run measures the same.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  static func uuids(_ count: Int, seed: UInt64) -> [UUID] {
    var generator = Generator(state: seed)
    return (0..<count).map { _ in
      var (a, b) = (generator.next(), generator.next())
      var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      withUnsafeMutableBytes(of: &bytes) { target in
        withUnsafeBytes(of: &a) { target.copyBytes(from: $0) }
        withUnsafeBytes(of: &b) { UnsafeMutableRawBufferPointer(rebasing: target[8...]).copyBytes(from: $0) }
      }
      return UUID(uuid: bytes)
    }
  }

  static func split(_ ids: [UUID], into sections: Int) -> Contents {
    (0..<sections).map { number in
      (number, Array(ids[ids.count * number / sections..<ids.count * (number + 1) / sections]))
    }
  }

  static func run(_ report: inout Report) throws {
    let million = uuids(1_000_000, seed: 1)
    // One part alone, for whoever profiles it: `bench snapshots iterate`.
    let part = CommandLine.arguments.dropFirst(2).first
    if part ?? "memory" == "memory" { try memory(million, &report) }
    if part ?? "build" == "build" { try build(million, &report) }
    if part ?? "append" == "append" { try append(million, &report) }
    if part ?? "iterate" == "iterate" { try iterate(million, &report) }
    if part ?? "edits" == "edits" { try edits(million, &report) }
    if part ?? "scattered" == "scattered" { try scattered(million, &report) }
    if part ?? "equal" == "equal" { try equal(million, &report) }
    if part ?? "unrelated" == "unrelated" { try unrelated(&report) }
  }

  static func memory(_ million: [UUID], _ report: inout Report) throws {
    let contents = split(million, into: 100)
    func bytes(_ make: () throws -> Any) rethrows -> Double? {
      guard let before = Measure.allocatedBytes() else { return nil }
      let made = try make()
      defer { Measure.use(made) }
      return Measure.allocatedBytes().map { Double($0 - before) / 1e6 }
    }
    guard let own = try bytes({ try Snapshot(sections: contents) }) else {
      return print("The allocator here does not say how much it has handed out: no row for memory.")
    }
    let grown = try bytes {
      var snapshot = Snapshot()
      try snapshot.appendSections([0])
      for id in million { try snapshot.appendItems([id]) }
      return snapshot
    }
    report.add(
      Row(
        name: "memory an item at 1,000,000", figure: own, unit: "B", target: 64,
        peer: bytes { OrderedSet(million.map { $0 }) }, peerName: "OrderedSet",
        others: grown.map { ["appended one by one": $0] } ?? [:]))
  }

  static func build(_ million: [UUID], _ report: inout Report) throws {
    func times(_ count: Int) throws -> (Double, Double) {
      let ids = Array(million[..<count])
      let contents = split(ids, into: 100)
      return try Measure.milliseconds(
        runs: 5, { Measure.use(try Snapshot(sections: contents)) },
        against: { Measure.use(OrderedSet(ids)) })
    }
    let (own, peer) = try times(1_000_000)
    let appended = try Measure.milliseconds(runs: 5) {
      var snapshot = Snapshot()
      try snapshot.appendSections([0])
      try snapshot.appendItems(million)
      Measure.use(snapshot)
    }
    report.add(
      Row(
        name: "build from an array, 1,000,000 items in 100 sections", figure: own, unit: "ms", peer: peer,
        peerName: "OrderedSet",
        others: [
          "10,000": try times(10_000).0, "100,000": try times(100_000).0, "one appendItems": appended,
        ],
        bounds: [.init(name: "OrderedSet", ratio: own / peer, most: 1.3)]))
  }

  static func append(_ million: [UUID], _ report: inout Report) throws {
    func times(_ count: Int) throws -> (Double, Double) {
      let ids = Array(million[..<count])
      let contents = split(ids, into: 1)
      return try Measure.milliseconds(
        runs: 3,
        {
          var snapshot = Snapshot()
          try snapshot.appendSections([0])
          for id in ids { try snapshot.appendItems([id]) }
          Measure.use(snapshot)
        }, against: { Measure.use(try Snapshot(sections: contents)) })
    }
    let (own, bulk) = try times(1_000_000)
    let ordered = Measure.milliseconds(runs: 3) {
      var set = OrderedSet<UUID>()
      for id in million { set.append(id) }
      Measure.use(set)
    }
    report.add(
      Row(
        name: "append one by one, 1,000,000", figure: own, unit: "ms", peer: bulk, peerName: "in bulk",
        others: [
          "10,000": try times(10_000).0, "100,000": try times(100_000).0, "OrderedSet one by one": ordered,
        ],
        bounds: [.init(name: "the bulk build", ratio: own / bulk, most: 3)]))
  }

  static func iterate(_ million: [UUID], _ report: inout Report) throws {
    let snapshot = try Snapshot(sections: split(million, into: 100))
    func fold(_ ids: some Sequence<UUID>) {
      var sum: UInt8 = 0
      for id in ids { sum &+= id.uuid.7 }
      Measure.use(sum)
    }
    let (own, peer) = Measure.milliseconds(runs: 15, { fold(snapshot.items) }, against: { fold(million) })
    // Here the processor's caches hold both.
    let few = Array(million.prefix(10_000))
    let short = try Snapshot(sections: split(few, into: 10))
    let (shortOwn, shortPeer) = Measure.milliseconds(runs: 200, { fold(short.items) }, against: { fold(few) })
    report.add(
      Row(
        name: "iterate all items, 1,000,000", figure: own, unit: "ms", peer: peer, peerName: "Array",
        others: ["10,000, µs": shortOwn * 1e3, "Array of 10,000, µs": shortPeer * 1e3],
        bounds: [.init(name: "Array", ratio: own / peer, most: 2)]))
  }

  static func edits(_ million: [UUID], _ report: inout Report) throws {
    let fresh = uuids(10_000, seed: 2)
    func times(_ count: Int) throws -> [(name: String, edit: Double, difference: Double)] {
      let ids = Array(million[..<count])
      let snapshot = try Snapshot(sections: split(ids, into: 100))
      let kinds: [(String, (Int, inout Snapshot) throws -> Void)] = [
        ("insert", { try $1.insertItems([fresh[$0 % 10_000]], beforeItem: ids[$0 &* 7919 % count]) }),
        ("delete", { $1.deleteItems([ids[$0 &* 7919 % count]]) }),
        ("move", { try $1.moveItem(ids[$0 &* 7919 % count], beforeItem: ids[($0 &* 104_729 + 1) % count]) }),
      ]
      return try kinds.map { name, edit in
        let time = try Measure.microseconds(calls: 2000) { number in
          var copy = snapshot
          try edit(number, &copy)
          Measure.use(copy)
        }
        var copies: [Snapshot] = []
        for number in 0..<1000 {
          var copy = snapshot
          try edit(number, &copy)
          copies.append(copy)
        }
        let difference = Measure.microseconds(calls: 1000) { number in
          Measure.use(copies[number].difference(from: snapshot))
        }
        return (name, time, difference)
      }
    }
    let large = try times(1_000_000)
    let middle = try times(100_000)
    let small = try times(10_000)
    for index in large.indices {
      report.add(
        Row(
          name: "copy and one edit at 1,000,000: \(large[index].name)", figure: large[index].edit, unit: "µs",
          target: 20, others: ["10,000": small[index].edit, "100,000": middle[index].edit],
          bounds: [.init(name: "at 10,000", ratio: large[index].edit / small[index].edit, most: 3)]))
    }
    for index in large.indices {
      report.add(
        Row(
          name: "difference after one edit at 1,000,000: \(large[index].name)",
          figure: large[index].difference, unit: "µs", target: 50,
          others: ["10,000": small[index].difference, "100,000": middle[index].difference],
          bounds: [
            .init(name: "at 10,000", ratio: large[index].difference / small[index].difference, most: 3)
          ]))
    }
  }

  /// A thousand edits all over, a third of each kind.
  static func edited(_ snapshot: Snapshot, _ ids: [UUID], edits: Int) throws -> Snapshot {
    var generator = Generator(state: 3)
    var copy = snapshot
    let fresh = uuids(edits, seed: 4)
    let picks = ids.indices.shuffled(using: &generator).prefix(edits * 2)
    for number in 0..<edits {
      let item = ids[picks[number]]
      let other = ids[picks[edits + number]]
      switch number % 3 {
      case 0: try copy.insertItems([fresh[number]], beforeItem: item)
      case 1: copy.deleteItems([item])
      default: try copy.moveItem(item, beforeItem: other)
      }
    }
    return copy
  }

  static func scattered(_ million: [UUID], _ report: inout Report) throws {
    func time(_ count: Int) throws -> Double {
      let ids = Array(million[..<count])
      let snapshot = try Snapshot(sections: split(ids, into: 100))
      let copy = try edited(snapshot, ids, edits: 1000)
      return Measure.milliseconds(runs: 21) { Measure.use(copy.difference(from: snapshot)) }
    }
    report.add(
      Row(
        name: "difference after 1,000 scattered edits at 1,000,000", figure: try time(1_000_000), unit: "ms",
        target: 10, others: ["10,000": try time(10_000), "100,000": try time(100_000)]))
  }

  static func equal(_ million: [UUID], _ report: inout Report) throws {
    let first = try Snapshot(sections: split(million, into: 100))
    let second = try Snapshot(sections: split(million, into: 100))
    let copy = million.map { $0 }
    let (own, peer) = Measure.milliseconds(
      runs: 9, { Measure.use(second.difference(from: first)) },
      against: {
        Measure.use(million == copy)
        for id in million { Measure.use(id.hashValue) }
      })
    report.add(
      Row(
        name: "difference of equal but unrelated, 1,000,000", figure: own, unit: "ms", peer: peer,
        peerName: "== and one hash each",
        bounds: [.init(name: "arrays and hashes", ratio: own / peer, most: 2)]))
  }

  /// An unrelated list: a tenth is gone, a tenth is new, a tenth is elsewhere.
  static func changed(_ ids: [UUID]) -> [UUID] {
    var generator = Generator(state: 5)
    var result = ids.filter { _ in Int.random(in: 0..<10, using: &generator) != 0 }
    for _ in 0..<ids.count / 10 {
      let from = Int.random(in: 0..<result.count, using: &generator)
      let to = Int.random(in: 0..<result.count, using: &generator)
      result.swapAt(from, to)
    }
    let fresh = uuids(ids.count / 10, seed: 6)
    var places = Set(fresh.indices.map { _ in Int.random(in: 0..<result.count, using: &generator) })
    var merged: [UUID] = []
    var next = 0
    for (index, id) in result.enumerated() {
      merged.append(id)
      if places.remove(index) != nil {
        merged.append(fresh[next])
        next += 1
      }
    }
    merged.append(contentsOf: fresh[next...])
    return merged
  }

  static func unrelated(_ report: inout Report) throws {
    func inputs(_ count: Int, sections: Int) throws -> (old: Snapshot, new: Snapshot, [UUID], [UUID]) {
      let ids = uuids(count, seed: 7)
      let other = changed(ids)
      return (
        try Snapshot(sections: split(ids, into: sections)),
        try Snapshot(sections: split(other, into: sections)),
        ids, other
      )
    }
    func time(_ count: Int, sections: Int) throws -> Double {
      let (old, new, _, _) = try inputs(count, sections: sections)
      return Measure.milliseconds(runs: 15) { Measure.use(new.difference(from: old)) }
    }
    // The general diff is quadratic in the number of changes: a tenth of the size is as much as one can wait
    // for, and flatters it.
    let (_, _, small, smallOther) = try inputs(10_000, sections: 1)
    let general = Measure.milliseconds(runs: 1) {
      Measure.use(smallOther.difference(from: small).inferringMoves())
    }
    let smallOwn = try time(10_000, sections: 1)
    let (_, _, ids, other) = try inputs(100_000, sections: 1)
    let set = OrderedSet(ids)
    let otherSet = OrderedSet(other)
    let ordered = Measure.milliseconds(runs: 3) { Measure.use(otherSet.difference(from: set)) }
    let own = try time(100_000, sections: 1)
    report.add(
      Row(
        name: "unrelated, 100,000, 10 % moved, deleted, inserted, 1 section", figure: own, unit: "ms",
        target: 15, peer: ordered, peerName: "OrderedSet.difference",
        others: ["10,000": smallOwn, "100 sections": try time(100_000, sections: 100)],
        bounds: [.init(name: "OrderedSet.difference", ratio: own / ordered, most: 0.5)]))
    report.add(
      Row(
        name: "unrelated, 10,000, 10 % moved, deleted, inserted, 1 section", figure: smallOwn, unit: "ms",
        peer: general, peerName: "CollectionDifference.inferringMoves",
        bounds: [.init(name: "CollectionDifference", ratio: smallOwn / general, most: 0.5)]))
  }
}
