#if SQLite
  import LiveDrafts
  import LiveListsTestSupport

  extension KeyLaw {
    /// Histories of which the law found something.
    static let found: [[DraftStep]] = [
      // An edit of a row that goes along is undone in the middle of the save, and redone after it: the row is made anew, as it would have
      // been after an undo before the save.
      [
        .commit([
          .put(Item(id: 0, section: "a", key: 0, note: "n0")), .put(Item(id: 1, section: "a", key: 1)),
          .put(Item(id: 2, section: "a", key: 2, note: "n2")), .put(Item(id: 3, section: "a", key: 3)),
          .put(Item(id: 4, section: "a", key: 0)),
        ]), .edit([.remove(0)]),
        .saving(
          .fail,
          [
            .edit([.put(Item(id: 1, section: "b", key: 2))]),
            .edit([
              .put(Item(id: 4, section: "c", key: 3, note: "m2")),
              .put(Item(id: 2, section: "b", key: 2, note: "m2")),
            ]), .undo,
          ], fails: false), .redo,
      ],
      // A row that the draft deletes is spared, as others have changed it, and goes all the same with another one: undo inserts it again.
      [
        .commit([
          .put(Item(id: 1, section: "a", key: 1)), .put(Item(id: 3, section: "a", key: 3)),
          .put(Item(id: 5, section: "a", key: 1)),
        ]), .edit([.put(Item(id: 5, section: "b", key: 1))]),
        .commit([.put(Item(id: 5, section: "c", key: 3))]), .edit([.remove(3), .remove(5)]), .save(.theirs),
        .undo,
      ],
      // Others have set columns as the draft has, and another one otherwise, which counts: the save has changed nothing, and undo takes
      // nothing back.
      [
        .commit([.put(Item(id: 1, section: "a", key: 2, note: "n1"))]),
        .edit([.put(Item(id: 1, section: "b", key: 0, note: "m1"))]),
        .commit([.put(Item(id: 1, section: "b", key: 1, note: "m1"))]), .save(.theirs), .undo,
      ],
      // A deletion sets a column that the same edit has set: both are undone while they are being saved, and the column is as before.
      [
        .commit([
          .put(Item(id: 1, section: "a", key: 1, note: "m1")), .put(Item(id: 3, section: "a", key: 3)),
          .put(Item(id: 7, section: "a", key: 3)),
        ]), .edit([.put(Item(id: 7, section: "a", key: 3, note: "m1")), .remove(1)]),
        .saving(.mine, [.undo], fails: false),
      ],
      // A row is inserted and goes along with another one that the same edit deletes: undone meanwhile, the other one comes back alone.
      [
        .commit([.put(Item(id: 3, section: "a", key: 3)), .put(Item(id: 4, section: "a", key: 3))]),
        .edit([.put(Item(id: 7, section: "b", key: 3)), .remove(3)]), .saving(.mine, [.undo], fails: false),
      ],
      // A row is changed and deleted in two edits, and both are undone meanwhile: what went along comes back.
      [
        .commit([.put(Item(id: 1, section: "a", key: 1)), .put(Item(id: 5, section: "a", key: 1))]),
        .edit([.put(Item(id: 1, section: "c", key: 2))]), .edit([.remove(1)]),
        .saving(.mergeColumns, [.undo, .undo], fails: false),
      ],
      // So it does where the deletion is taken back by a redo: of a discard that was undone.
      [
        .commit([.put(Item(id: 0, section: "a", key: 0)), .put(Item(id: 4, section: "a", key: 0))]),
        .edit([.remove(0)]), .discard(nil), .undo, .saving(.theirs, [.redo], fails: false),
      ],
      // A row is being edited of which a save of another row sets a column as the edit does: undo of that save leaves it so.
      [
        .commit([
          .put(Item(id: 1, section: "a", key: 1)), .put(Item(id: 2, section: "a", key: 2, note: "n2")),
          .put(Item(id: 3, section: "a", key: 3)), .put(Item(id: 6, section: "a", key: 2)),
        ]), .edit([.put(Item(id: 6, section: "c", key: 1, note: "n2"))]), .save(.mine),
        .edit([.put(Item(id: 6, section: "a", key: 3))]), .write(.fail, [.remove(2)], [], fails: false),
        .undo,
      ],
      // A trigger of the save changes a column of which the value of others counts: undo leaves it alone.
      [
        .commit([.put(Item(id: 0, section: "a", key: 0)), .put(Item(id: 6, section: "a", key: 0))]),
        .edit([.put(Item(id: 0, section: "a", key: 1))]), .commit([.put(Item(id: 0, section: "a", key: 3))]),
        .edit([.remove(6)]), .save(.theirs), .undo, .undo,
      ],
      // An edit moves a row to another one and deletes that. Undone and redone during the save, and undone after it, it has the row come back.
      [
        .commit([
          .put(Item(id: 1, section: "a", key: 1)), .put(Item(id: 3, section: "a", key: 3)),
          .put(Item(id: 5, section: "a", key: 1)),
        ]), .edit([.put(Item(id: 5, section: "a", key: 3)), .remove(3)]),
        .saving(.mine, [.undo, .redo], fails: false), .undo,
      ],
      // A discard was undone before the save: undo brings back what went along, and redo of the discard does so with its former values.
      [
        .commit([
          .put(Item(id: 1, section: "a", key: 1)), .put(Item(id: 3, section: "a", key: 3)),
          .put(Item(id: 5, section: "a", key: 1)),
        ]), .edit([.put(Item(id: 5, section: "a", key: 3))]), .edit([.remove(3)]), .discard(nil), .undo,
        .save(.mine), .undo, .redo, .redo, .undo,
      ],
      [
        .commit([
          .put(Item(id: 1, section: "a", key: 1)), .put(Item(id: 3, section: "a", key: 3)),
          .put(Item(id: 5, section: "a", key: 1)),
        ]), .edit([.put(Item(id: 5, section: "a", key: 3)), .remove(3)]), .discard(nil), .undo,
        .saving(.mine, [.undo, .redo], fails: false), .undo, .redo, .redo,
      ],
      // A row that was saved goes along with a deletion that is older than its last edit: undo of that edit inserts it.
      [
        .commit([
          .put(Item(id: 2, section: "a", key: 2)), .put(Item(id: 3, section: "a", key: 3)),
          .put(Item(id: 4, section: "a", key: 0)),
        ]), .edit([.put(Item(id: 4, section: "c", key: 3)), .remove(2)]),
        .write(.theirs, [.put(Item(id: 4, section: "c", key: 2))], [], fails: false), .save(.mine), .undo,
      ],
      // An edit moves a row to another one, which an older edit deletes. Undone alone while both are saved, it has the row back.
      moved + [.saving(.mine, [.undo], fails: false), .undo, .redo, .redo, .undo, .undo, .save(.mine)],
      moved + [
        .saving(.mine, [.undo, .redo], fails: false), .undo, .redo, .undo, .undo, .redo, .save(.mine),
      ],
      // So it does where the deletion is undone as well, and redone later.
      moved + [
        .edit([.put(Item(id: 4, section: "b", key: 3, note: "n0"))]),
        .saving(.mine, [.undo, .undo, .undo], fails: false), .redo, .redo, .redo, .undo, .undo, .undo,
        .save(.mine),
      ],
      // A row goes along with a deletion that is undone, and so is the insertion of the deleted row: it is there without that.
      [
        .edit([.put(Item(id: 5, section: "b", key: 1))]),
        .write(.mine, [.put(Item(id: 1, section: "c", key: 3, note: "m1"))], [], fails: false),
        .edit([.remove(1)]), .saving(.mergeColumns, [.undo, .undo], fails: false),
      ],
      // A column is set to refer to a row that goes in the same save, another column is set, and the row itself goes with a third: undo of all
      // brings it back without the reference.
      [
        .commit([
          .put(Item(id: 1, section: "a", key: 1, note: "m1")), .put(Item(id: 3, section: "a", key: 3)),
          .put(Item(id: 4, section: "a", key: 3)),
        ]), .edit([.remove(1)]), .edit([.remove(3)]),
        .edit([.put(Item(id: 4, section: "a", key: 3, note: "m1"))]),
        .edit([.put(Item(id: 4, section: "b", key: 3, note: "m1"))]), .save(.mine), .undo, .undo, .undo,
        .undo,
        .save(.mine),
      ],
      // Undo sets a column back, and a deletion of the same save sets it: the older edit that had set it leads to that.
      [
        .commit([.put(Item(id: 1, section: "b", key: 2))]),
        .edit([.put(Item(id: 6, section: "c", key: 1, note: "m2"))]),
        .edit([.put(Item(id: 2, section: "a", key: 1, note: "m2")), .put(Item(id: 6, section: "a", key: 2))]),
        .saving(.mine, [.undo], fails: false),
        .saving(.mine, [.edit([.put(Item(id: 4, section: "c", key: 1))]), .undo, .undo], fails: false),
      ],
      // An edit of a row that goes along is undone before anybody knows that it goes: the row comes back without it.
      [
        albumsAndItems, .edit([.put(Item(id: 3, section: "b", key: 3, note: "m3")), .remove(0)]),
        .saving(
          .mergeColumns,
          [.edit([.put(Item(id: 4, section: "c", key: 2, note: "m2"))]), .undo, .undo], fails: false),
      ],
      [
        albumsAndItems, .edit([.remove(2), .put(Item(id: 1, section: "c", key: 3))]),
        .saving(
          .mine,
          [
            .commit([.put(Item(id: 4, section: "c", key: 1)), .put(Item(id: 7, section: "a", key: 3))]),
            .edit([.remove(1), .remove(6)]), .undo, .undo, .undo,
            .edit([.put(Item(id: 6, section: "a", key: 0))]),
          ], fails: false),
      ],
      // An edit is undone before a trigger of the save changes its row.
      [
        albumsAndItems, .edit([.remove(4)]),
        .saving(
          .mine, [.edit([.put(Item(id: 0, section: "a", key: 3, note: "m0"))]), .undo], fails: false), .redo,
      ],
      // A row that others had removed is made again, and a trigger changes it: that is nobody else's change.
      [
        albumsAndItems, .edit([.remove(5), .put(Item(id: 6, section: "a", key: 3))]),
        .commit([.put(Item(id: 5, section: "a", key: 0)), .remove(6)]),
        .edit([.put(Item(id: 3, section: "c", key: 0, note: "m3"))]),
        .saving(
          .mine, [.undo, .undo, .undo, .edit([.put(Item(id: 0, section: "c", key: 0, note: "n0"))])],
          fails: false),
      ],
      // A row is deleted and made again in two edits, and a trigger of their save changes it.
      [
        albumsAndItems, .edit([.remove(5), .put(Item(id: 1, section: "b", key: 0, note: "n1"))]),
        .edit([.put(Item(id: 5, section: "a", key: 2))]), .saving(.fail, [.undo, .undo], fails: false),
      ],
      // A row that undo has led back to an earlier save's edit goes along.
      [
        albumsAndItems,
        .edit([
          .put(Item(id: 1, section: "b", key: 3)), .remove(0),
          .put(Item(id: 4, section: "c", key: 0, note: "m3")),
        ]), .write(.fail, [.put(Item(id: 4, section: "b", key: 0))], [], fails: false),
        .edit([.put(Item(id: 3, section: "b", key: 1)), .put(Item(id: 5, section: "c", key: 3, note: "n3"))]),
        .undo,
        .saving(
          .mergeColumns,
          [
            .edit([
              .put(Item(id: 1, section: "b", key: 2, note: "m1")), .put(Item(id: 4, section: "c", key: 2)),
            ]),
            .undo, .undo, .undo, .edit([.remove(2)]), .undo,
          ], fails: false), .undo,
      ],
      // A row is spared by a policy, and goes along all the same.
      [
        albumsAndItems, .edit([.remove(1), .remove(7)]),
        .edit([.put(Item(id: 3, section: "a", key: 1, note: "m3"))]),
        .undo, .write(.mine, [.put(Item(id: 7, section: "b", key: 1))], [], fails: false),
        .write(
          .theirs,
          [.put(Item(id: 2, section: "b", key: 0, note: "n2")), .put(Item(id: 5, section: "a", key: 2))],
          [.commit([.put(Item(id: 6, section: "a", key: 0))])], fails: false), .undo,
        .write(
          .theirs, [.put(Item(id: 1, section: "c", key: 1, note: "m1"))],
          [.commit([.put(Item(id: 0, section: "a", key: 2, note: "n0"))])], fails: false), .undo, .undo,
        .save(.theirs), .undo,
      ],
    ]

    /// The rows with which random histories begin: each album with an item.
    private static let albumsAndItems = DraftStep.commit(
      (0..<4).map { .put(Item(id: $0, section: "a", key: $0, note: "n\($0)")) }
        + (4..<8).map { .put(Item(id: $0, section: "a", key: $0 - 4)) })

    private static let moved: [DraftStep] = [
      .commit([
        .put(Item(id: 0, section: "a", key: 0, note: "n0")), .put(Item(id: 3, section: "a", key: 3)),
        .put(Item(id: 4, section: "a", key: 0)),
      ]), .edit([.remove(3)]), .edit([.remove(0), .put(Item(id: 4, section: "c", key: 3, note: "n0"))]),
    ]
  }
#endif
