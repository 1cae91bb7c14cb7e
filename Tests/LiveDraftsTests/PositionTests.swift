import LiveFetch
import LiveListsTestSupport
import Testing

@testable import LiveDrafts

@Suite("The positions of a draft")
struct PositionTests {
  @Test("While nothing is edited, positions are the store's")
  func exact() {
    var positions = DraftPositions()
    #expect(positions.commit(at: 7).value == 7)
    let read = positions.beginRead(hasPending: false)
    // It saw a commit that is told after it.
    #expect(positions.endRead(read, at: 8).value == 8)
    #expect(positions.commit(at: 8).value == 8)
    // A commit that touches two tables is told twice.
    #expect(positions.commit(at: 8).value == 8)
  }

  @Test("Whoever drops what a read has seen loses nothing: in all orders of commits, edits and reads")
  func nothingIsLost() {
    enum Event: CaseIterable { case commit, edit, beginRead, endRead }
    /// A store whose commits are told one behind, as one that is asked while it tells.
    func play(_ events: [Event]) {
      var positions = DraftPositions()
      var (committed, told, edits): (UInt64, UInt64, Int) = (1, 1, 0)
      var reads: [(number: Int, store: UInt64, edits: Int)] = []
      var ended: [(position: FetchPosition, store: UInt64, edits: Int)] = []
      var notified: [(position: FetchPosition, store: UInt64?, edit: Int?)] = []
      for event in events {
        switch event {
        case .commit:
          committed += 1
          while told < committed - 1 {
            told += 1
            notified.append((positions.commit(at: told), told, nil))
          }
        case .edit:
          edits += 1
          notified.append((positions.edit(), nil, edits))
        case .beginRead: reads.append((positions.beginRead(hasPending: edits > 0), committed, edits))
        case .endRead:
          guard !reads.isEmpty else { continue }
          let read = reads.removeFirst()
          ended.append((positions.endRead(read.number, at: read.store), read.store, read.edits))
        }
      }
      while told < committed {
        told += 1
        notified.append((positions.commit(at: told), told, nil))
      }
      #expect(zip(notified, notified.dropFirst()).allSatisfy { $0.position < $1.position })
      for read in ended {
        for one in notified where one.position <= read.position {
          #expect(one.store.map { $0 <= read.store } ?? true, "\(events): a commit is lost")
          #expect(one.edit.map { $0 <= read.edits } ?? true, "\(events): an edit is lost")
        }
      }
    }
    var sequences: [[Event]] = [[]]
    for _ in 0..<7 { sequences = sequences.flatMap { sequence in Event.allCases.map { sequence + [$0] } } }
    for sequence in sequences { play(sequence) }
  }
}
