import Foundation
import _TestTools
import Snapshots
import Testing

@Suite("The number of sections")
struct SectionLimitTests {
  typealias Snapshot = DiffableSnapshot<Int, Int>

  @Test("More sections than have numbers are refused, whatever else is wrong with them")
  func standard() {
    let sections = Array(repeating: (0, [Int]()), count: (1 << 24) - 1)
    #expect(throws: Snapshot.EditError.tooManySections) { try Snapshot(sections: sections) }
    #expect("\(Snapshot.EditError.tooManySections)".contains("at most"))
  }

  @Test("Duplicates are named whichever kind they are, and never none")
  func duplicates() {
    #expect(throws: Snapshot.EditError.duplicateSections([2, 1])) {
      try Snapshot(sections: [(1, []), (2, [7]), (2, [7]), (1, []), (2, [])])
    }
    #expect(throws: Snapshot.EditError.duplicateItems([7, 8])) {
      try Snapshot(sections: [(1, [7, 8, 7]), (2, [8, 7])])
    }
  }

  #if DEBUG
    /// Runs with room for five sections.
    private func withFive(_ body: () throws -> Void) throws {
      try SectionLimit.$lowered.withValue(5) { try body() }
    }

    private func expectRefusal(_ snapshot: Snapshot, _ edit: (inout Snapshot) throws -> Void) {
      var copy = snapshot
      #expect(throws: Snapshot.EditError.tooManySections) { try edit(&copy) }
      #expect(copy == snapshot)
      #expect(copy.brokenInvariants.isEmpty)
    }

    @Test("A section too many is refused wherever it is added, and nothing has changed")
    func everywhere() throws {
      try withFive { () throws in
        let full = try Snapshot(sections: (1...5).map { ($0, [$0 * 10]) })
        expectRefusal(full) { try $0.appendSections([6]) }
        expectRefusal(full) { try $0.insertSections([6], beforeSection: 1) }
        expectRefusal(full) { try $0.insertSections([6], afterSection: 5) }
        expectRefusal(full) { try $0.insertSections([6], at: 2) }
        var three = full
        three.deleteSections([1, 2])
        expectRefusal(three) { try $0.appendSections([6, 7, 8]) }
        expectRefusal(Snapshot()) { try $0.appendSections(Array(1...6)) }
        #expect(throws: Snapshot.EditError.tooManySections) {
          try Snapshot(sections: (1...6).map { ($0, []) })
        }
        // What is wrong with the argument comes first.
        var copy = full
        #expect(throws: Snapshot.EditError.sectionsAlreadyExist([2])) { try copy.appendSections([2]) }
        #expect(throws: Snapshot.EditError.duplicateSections([6])) { try copy.appendSections([6, 6]) }
        #expect(throws: Snapshot.EditError.unknownSection(9)) {
          try copy.insertSections([6], afterSection: 9)
        }
      }
    }

    @Test("A section too many is refused by decoding, with the reason")
    func decoding() throws {
      let coded = try JSONEncoder().encode(Snapshot(sections: (1...6).map { ($0, []) }))
      try withFive { () throws in
        let error = #expect(throws: DecodingError.self) {
          try JSONDecoder().decode(Snapshot.self, from: coded)
        }
        guard case .dataCorrupted(let context) = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(context.underlyingError as? Snapshot.EditError == .tooManySections)
      }
    }

    @Test("A difference that adds too many is refused; one that makes room for them first is not")
    func differences() throws {
      let full = try Snapshot(sections: (1...5).map { ($0, [$0 * 10]) })
      let other = try Snapshot(sections: [(6, [60]), (5, [10, 50]), (7, []), (8, [20]), (9, [])])
      let more = try Snapshot(sections: (1...6).map { ($0, [$0 * 10]) })
      try withFive { () throws in
        #expect(try full.applying(other.difference(from: full)) == other)
        #expect(throws: Snapshot.EditError.tooManySections) {
          try full.applying(more.difference(from: full))
        }
      }
    }

    @Test("Numbers do not run out, however often sections come and go", arguments: 0..<8)
    func comeAndGo(seed: UInt64) throws {
      var random = SplitMix(seed: seed &+ 77)
      try withFive { () throws in
        var snapshot = Snapshot()
        var model: [(id: Int, items: [Int])] = []
        for step in 0..<120 {
          let before = snapshot
          let id = 100 + step
          switch Int.random(in: 0..<6, using: &random) {
          case 0, 1:
            if model.count < 5 {
              let index = Int.random(in: 0...model.count, using: &random)
              try snapshot.insertSections([id], at: index)
              try snapshot.appendItems([step], toSection: id)
              model.insert((id, [step]), at: index)
            } else {
              #expect(throws: Snapshot.EditError.tooManySections) { try snapshot.appendSections([id]) }
            }
          case 2:
            if let index = model.indices.randomElement(using: &random) {
              snapshot.deleteSections([model.remove(at: index).id])
            }
          case 3:
            if let index = model.indices.randomElement(using: &random) {
              let section = model.remove(at: index)
              let to = Int.random(in: 0...model.count, using: &random)
              try snapshot.moveSection(section.id, to: to)
              model.insert(section, at: to)
            }
          case 4:
            // All are others, and some items stay.
            var next = (0..<Int.random(in: 0...5, using: &random)).map {
              (id: 1000 + step * 10 + $0, items: [Int]())
            }
            if !next.isEmpty { next[0].items = model.flatMap(\.items) }
            if let kept = model.last, next.count < 5 { next.insert((kept.id, []), at: 0) }
            let target = try Snapshot(sections: next.map { ($0.id, $0.items) })
            snapshot = try snapshot.applying(target.difference(from: snapshot))
            model = next
          default:
            if let index = model.indices.randomElement(using: &random) {
              try snapshot.appendItems([5000 + step], toSection: model[index].id)
              model[index].items.append(5000 + step)
            }
          }
          #expect(snapshot.sectionIdentifiers == model.map(\.id), "seed \(seed), step \(step)")
          #expect(
            snapshot.sections.map { Array($0.items) } == model.map(\.items), "seed \(seed), step \(step)")
          #expect(snapshot.brokenInvariants.isEmpty, "seed \(seed), step \(step)")
          #expect(try before.applying(snapshot.difference(from: before)) == snapshot)
        }
      }
    }
  #endif
}
