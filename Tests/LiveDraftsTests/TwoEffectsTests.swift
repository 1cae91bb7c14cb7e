#if SQLite
  import LiveDrafts
  import LiveListsTestSupport
  import Testing
  import _TestTools

  /// A row of which one save takes a reference away and which it then deletes, by two foreign keys: an item has the note of an album
  /// (SET NULL) and belongs to another one (CASCADE). The law of drafts says what each way of undo leads to.
  @Suite("A row that loses a reference and goes along, in one save")
  struct TwoEffectsTests {
    struct History: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var steps: [DraftStep]
    }

    /// The edits. Albums have the keys and notes of their ids.
    static let edits: [History] = [
      History(
        "the reference is set with the deletions, or before the last one",
        [
          .edit([.put(Item(id: 6, section: "c", key: 1, note: "n3")), .remove(3), .remove(1)]),
          .edit([
            .remove(2), .put(Item(id: 6, section: "a", key: 2, note: "n3")),
            .put(Item(id: 5, section: "c", key: 3, note: "n2")),
          ]),
        ]),
      History(
        "the row alone",
        [
          .edit([.put(Item(id: 6, section: "c", key: 1, note: "n3")), .remove(3), .remove(1)]),
          .edit([.remove(2), .put(Item(id: 6, section: "a", key: 2, note: "n3"))]),
        ]),
      History(
        "the reference stays",
        [
          .edit([.put(Item(id: 6, section: "c", key: 1, note: "n3")), .remove(1)]),
          .edit([.remove(2), .put(Item(id: 6, section: "a", key: 2, note: "n3"))]),
        ]),
      History(
        "all deletions at once",
        [
          .edit([.put(Item(id: 6, section: "c", key: 1, note: "n3")), .remove(3), .remove(1), .remove(2)]),
          .edit([.put(Item(id: 6, section: "a", key: 2, note: "n3"))]),
        ]),
      History(
        "deletions between the edits of the row",
        [
          .edit([.put(Item(id: 6, section: "c", key: 1, note: "n3"))]),
          .edit([.remove(3), .remove(1), .remove(2)]),
          .edit([.put(Item(id: 6, section: "a", key: 2, note: "n3"))]),
        ]),
      History(
        "deletions first",
        [
          .edit([.remove(3), .remove(1)]), .edit([.remove(2)]),
          .edit([.put(Item(id: 6, section: "c", key: 1, note: "n3"))]),
          .edit([.put(Item(id: 6, section: "a", key: 2, note: "n3"))]),
        ]),
    ]

    /// The ways in which they are saved and undone.
    static let ways: [History] = {
      let theirs = DraftStep.commit([.put(Item(id: 2, section: "b", key: 2))])
      let during: [[DraftStep]] = [
        [.undo], [.undo, .undo], [.undo, .undo, .redo], [.undo, .undo, .undo, .redo],
        [.undo, .undo, .undo, .undo, .redo, .redo], [theirs, .undo], [theirs, .undo, .undo],
        [theirs, .undo, .undo, .redo],
      ]
      let all: [DraftStep] = [.undo, .undo, .undo, .undo]
      let later: [DraftStep] = [.redo, .redo, .redo, .redo]
      return during.map { History("\($0) during the save", [.saving(.mine, $0, fails: false)] + all + later) }
        + [
          History("undo of all, and redo", [.save(.mine)] + all + later),
          History("the last one undone before", [.undo, .save(.mine)] + all + later),
          History(
            "the last one undone before, the others during the save",
            [.undo, .saving(.mine, [.undo, .redo], fails: false)] + later + all),
          History(
            "the last one undone before, two others during the save",
            [.undo, .saving(.mine, [.undo, .undo, .redo], fails: false)] + later + all),
          History("with a save between", [.save(.mine)] + all + [.save(.mine)] + later),
          History("beside others", [theirs, .save(.mine)] + all + later),
        ]
    }()

    @Test("It comes back as it was, by each way of undo", arguments: inTurns(edits, of: 3), ways)
    func comesBack(_ edits: History, _ way: History) async throws {
      let albums = (0..<4).map { ConformanceWrite.put(Item(id: $0, section: "a", key: $0, note: "n\($0)")) }
      let items: [ConformanceWrite] = [
        .put(Item(id: 5, section: "a", key: 1)), .put(Item(id: 6, section: "a", key: 2)),
      ]
      let failure = try await KeyLaw.failure(
        of: [.commit(albums + items)] + edits.steps + way.steps, on: SQLiteSubject(sql: SQLiteSubject.keys))
      #expect(failure == nil)
    }
  }

  extension TwoEffectsTests.History {
    fileprivate init(_ description: String, _ steps: [DraftStep]) {
      (testDescription, self.steps) = (description, steps)
    }
  }
#endif
