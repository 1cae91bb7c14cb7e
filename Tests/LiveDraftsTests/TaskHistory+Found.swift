#if SQLite
  // Histories of which the law found something, and how they are written.

  extension TaskHistory {
    private static func setNull(_ steps: Step...) -> Self { Self(ownersCascade: false, steps: steps) }
    private static func cascade(_ steps: Step...) -> Self { Self(ownersCascade: true, steps: steps) }

    /// The same with codes that are unique.
    private var unique: Self {
      var history = self
      history.isUnique = true
      return history
    }

    /// The same with owners that refer to photos.
    private var covered: Self {
      var history = self
      history.hasCovers = true
      return history
    }

    /// The same with triggers that count.
    private var counting: Self {
      var history = self
      history.hasCounts = true
      return history
    }

    static let found: [TaskHistory] = [
      // One edit deletes two rows: of a third one, which is to be deleted as well, one save sets a reference to NULL, and another one takes it
      // along. So it is with one save, where the third one is deleted in the middle of it.
      setNull(
        .edit(.delete(.owner, 2), .delete(.shelf, 0)), .edit(.delete(.photo, 3)), .save(.owner, 2),
        .save(.shelf, 0)),
      setNull(
        .edit(.delete(.owner, 2), .delete(.shelf, 0)), .save(.at(1, .edit(.delete(.photo, 3))))),
      setNull(
        .edit(.delete(.owner, 2)), .edit(.delete(.shelf, 0)), .edit(.delete(.photo, 3)), .save(.owner, 2),
        .save(.shelf, 0)),
      // A trigger changes a value of a row that then goes along with another one, whichever was edited last.
      setNull(.edit(.set(.photo, 0, ["name": 3])), .edit(.delete(.shelf, 0)), .save()),
      setNull(
        .edit(.set(.photo, 0, ["name": 3])), .edit(.delete(.shelf, 0), .set(.photo, 0, ["other": 2])), .save()
      ),
      // A row is deleted in the middle of a save, by an edit that has seen a value which a trigger has changed since.
      cascade(
        .edit(.set(.owner, 3)), .edit(.delete(.owner, 1)), .edit(.set(.owner, 2, ["name": 3, "parent": 3])),
        .save(.at(6, .slowEdit([.delete(.owner, 2)])))),
      // An edit of a row that goes along is undone before anybody knows that it goes.
      setNull(
        .edit(.delete(.owner, 0)), .save(.at(1, .edit(.set(.photo, 3, ["parent": 1]))), .at(3, .undo)), .redo),
      // Undo takes a discard back, and then an edit of a row that goes along.
      cascade(
        .edit(.delete(.owner, 1)), .edit(.set(.owner, 2, ["name": 3])), .edit(.set(.owner, 3)), .undo,
        .act(.discardRows(.owner, [0, 2, 3])), .save(.at(0, .undo), .at(3, .undo)), .redo),
      // A row is deleted during a save of which one deletion has set it to NULL, and another one takes it along.
      cascade(
        .edit(.delete(.shelf, 0)), .edit(.delete(.owner, 1)), .save(.at(2, .edit(.delete(.shelf, 1))))),
      // Undo of an edit of a row that the same save has set to NULL, between the notifications of the tables.
      setNull(
        .edit(.delete(.owner, 1)), .edit(.set(.owner, 2, ["other": 2])), .save(.at(5, .undo))),
      setNull(
        .edit(.delete(.owner, 0)), .edit(.set(.owner, 1, ["name": 2])), .edit(.set(.photo, 2, ["name": 2])),
        .undo, .undo, .redo, .edit(.delete(.photo, 0)), .undo, .save(.at(8, .undo))),
      // A row goes along with a second deletion, and what the first has set of it is taken back before it is there.
      cascade(
        .edit(.delete(.owner, 0)), .edit(.delete(.owner, 1)), .edit(.delete(.shelf, 0)), .save()),
      // A row is deleted and made again as it was, and a foreign key changes it.
      setNull(
        .edit(.delete(.owner, 1)), .edit(.set(.owner, 1, ["other": 0]), .delete(.owner, 0)), .save(),
        .edit(.set(.owner, 1, ["parent": 2])), .save()),
      // Undo has moved a row away from a new one, of which the deletion is saved alone: it is kept, with all that goes by it.
      cascade(.edit(.set(.owner, 3), .set(.owner, 0, ["parent": 3])), .save(), .undo, .save(.owner, 3)),
      setNull(
        .edit(.set(.owner, 3, ["name": 1]), .set(.shelf, 2, ["parent": 3])), .save(), .undo,
        .save(.owner, 1, 2, 3, acts: .at(0, .edit(.delete(.photo, 2))))),
      // Pending values of a row that goes along are nobody else's.
      cascade(
        .edit(.set(.photo, 3, ["parent": 1])), .save(), .undo,
        .edit(.delete(.shelf, 1), .set(.photo, 3, ["name": 3])), .save(.shelf, 1, 2)),
      // A save has set a row to NULL, and a later one takes it along with an older deletion.
      setNull(
        .edit(.delete(.owner, 0)), .edit(.delete(.owner, 2)), .save(.owner, 1, 2, 3),
        .edit(.set(.photo, 3, ["parent": 2])), .save(.owner, 0, 1, 2, 3)),
      setNull(
        .edit(.delete(.owner, 0)), .edit(.delete(.shelf, 0)),
        .edit(.set(.owner, 3, ["parent": 0]), .delete(.owner, 2)), .save(.owner, 1, 2, 3),
        .edit(.set(.photo, 3, ["other": 3])), .save(.owner, 0, 1, 2, 3)),
      // A row was deleted and that discarded before a foreign key has changed it.
      setNull(
        .edit(.set(.owner, 0, ["other": 1])), .save(), .undo, .edit(.delete(.owner, 0)), .discard,
        .edit(.delete(.owner, 1)), .save(), .undo, .save()),
      // A discard is undone which took back an edit of what a foreign key has changed.
      cascade(
        .edit(.set(.shelf, 1, ["other": 2])), .edit(.delete(.shelf, 0)),
        .act(.discardRows(.shelf, [1, 2])), .save(), .undo, .save()),
      // A discard between the notifications of the tables, of a row that has gone along.
      cascade(
        .edit(.set(.shelf, 0, ["name": 3]), .delete(.owner, 0)),
        .save(.owner, 0, 2, acts: .at(1, .edit(.set(.owner, 0))), .at(7, .discard))),
      setNull(
        .edit(.set(.photo, 0, ["name": 1])), .discard, .undo, .save(), .undo, .edit(.delete(.owner, 0)),
        .save(.owner, 0, 1, acts: .at(6, .discardRows(.photo, [0, 1, 2])))),
      // A row that has gone along is made again before its notification.
      setNull(
        .edit(.set(.shelf, 3, ["parent": 1])), .save(), .edit(.set(.photo, 2, ["parent": 3])),
        .edit(.delete(.shelf, 3)), .save(.photo, 2, 3), .save(.at(4, .edit(.set(.photo, 2, ["parent": 0]))))),
      // A foreign key changes what was pending when the row was deleted that leads to it, and saved since.
      cascade(
        .edit(.delete(.shelf, 0)), .edit(.delete(.shelf, 2)), .undo, .save(), .undo,
        .edit(.delete(.owner, 1)), .edit(.set(.photo, 0, ["other": 2])), .save(.shelf, 0),
        .save(.photo, 0, 1, 2, 3), .save()),
      // An effect is undone with a row that comes back before the deletion, and an edit of the same row after it.
      cascade(
        .edit(.set(.photo, 3, ["name": 2])), .edit(.delete(.owner, 1)), .edit(.set(.owner, 2, ["parent": 2])),
        .undo, .edit(.set(.photo, 3, ["name": 0])), .edit(.set(.owner, 2, ["name": 2])), .save()),
      // An edit leads back to the row as it was, deletes another one by which a foreign key changes the row, and the row is edited meanwhile.
      cascade(
        .edit(.set(.shelf, 1, ["name": 1])), .edit(.set(.shelf, 1, ["name": 0]), .delete(.shelf, 0)),
        .save(.at(4, .edit(.set(.shelf, 1, ["parent": 2])))), .save()),
      // A row that is to be deleted is changed by a foreign key, and deleted later.
      setNull(
        .edit(.delete(.owner, 1)), .edit(.delete(.owner, 0)), .save(.owner, 0, 2), .save(), .undo),
      setNull(
        .edit(.delete(.owner, 1)), .edit(.set(.owner, 1)), .undo, .edit(.delete(.owner, 0)),
        .save(.owner, 0, 2), .save(), .undo),
      // A row that is to be deleted is changed by a foreign key, which is undone, and deleted later.
      cascade(.edit(.delete(.shelf, 1)), .edit(.delete(.owner, 0)), .save(.owner, 0, 1), .undo, .save()),
      // An edit has seen its row before a foreign key has changed it, and sets it afterwards.
      cascade(
        .edit(.set(.photo, 0, ["other": 2])), .edit(.delete(.owner, 1)),
        .save(.at(0, .edit(.set(.owner, 1))), .at(8, .slowEdit([.set(.photo, 0, ["other": 1])])))),
      // A row that undo has moved away is moved back by a discard, goes along, and comes back as that is undone.
      cascade(
        .edit(.set(.shelf, 0, ["parent": 1])), .edit(.set(.owner, 3), .set(.owner, 0, ["parent": 3])),
        .save(), .undo,
        .edit(.set(.photo, 0, ["name": 3])), .act(.discardRows(.owner, [0, 1, 2])), .save(.owner, 3)),
      // A row goes along, and another one is made with its key.
      setNull(
        .edit(.delete(.owner, 1)), .save(.at(2, .edit(.set(.shelf, 1, ["parent": 0])))), .save()
      ).counting,
      // A deletion was discarded, and a trigger changes the row before that is undone.
      setNull(
        .edit(.delete(.shelf, 1)), .discard, .edit(.set(.photo, 0, ["parent": 1])), .save(), .undo, .undo
      ).counting,
      // An edit sees a row as it was sent, after its commit and before all of the save is known.
      cascade(
        .edit(.set(.shelf, 0, ["name": 3])),
        .save(.at(2, .discard), .at(5, .slowEdit([.set(.shelf, 0, ["name": 1])])))),
      // A deletion is redone while a trigger of the save changes the row.
      cascade(
        .edit(.set(.photo, 0, ["parent": 1])), .save(), .edit(.set(.photo, 0, ["parent": 0])),
        .edit(.delete(.shelf, 0)), .undo, .save(.at(1, .redo))
      ).counting,
      // A row of which undo has taken the insertion back is changed by a foreign key, and deleted: there is nothing to be taken back.
      cascade(
        .edit(.set(.owner, 3, ["other": 2])), .save(), .undo, .act(.write([.delete(.owner, 2)])), .save()),
      // A row was deleted and made again by a write, which is undone while the row goes along.
      setNull(
        .edit(.delete(.shelf, 2)), .edit(.delete(.owner, 0)),
        .act(.write([.set(.shelf, 2, ["other": 1, "parent": 1])])), .save(.at(0, .undo))),
      // Undo has a row refer to one that waits for a unique value, while the row that it refers to is deleted.
      cascade(
        .edit(.set(.photo, 2, ["code": 0])), .edit(.set(.owner, 3), .delete(.owner, 1)),
        .edit(.delete(.photo, 0)), .edit(.set(.owner, 1, ["parent": 3])),
        .edit(.set(.owner, 3, ["code": 1])), .save()
      ).unique.covered,
      setNull(
        .edit(.set(.owner, 3)), .edit(.set(.shelf, 0, ["parent": 3]), .set(.owner, 1, ["code": 0])),
        .edit(.delete(.owner, 0)), .save()
      ).unique,
      // A row is deleted that a trigger of the save has changed, before all of the save is known.
      cascade(
        .edit(.set(.shelf, 2, ["parent": 2])), .edit(.delete(.photo, 2)),
        .save(.photo, 2, acts: .at(0, .undo), .at(5, .edit(.delete(.shelf, 2))))
      ).counting,
      setNull(
        .edit(.set(.shelf, 3, ["parent": 1])), .edit(.set(.photo, 1, ["parent": 3])),
        .edit(.set(.photo, 0, ["other": 1])), .undo, .edit(.delete(.photo, 0)), .undo, .save(), .undo,
        .edit(.delete(.owner, 1)), .edit(.set(.shelf, 3, ["parent": 0])), .save(.owner, 0, 1), .undo, .save()
      ).counting,
      // A write fails of which another save has taken the deletion, and which has set a row that this has changed by a foreign key.
      cascade(
        .edit(.set(.owner, 0, ["name": 1])),
        .save(
          .at(0, .save(.init(table: .owner, ids: [2]))),
          .at(0, .write([.set(.photo, 3, ["name": 1]), .delete(.owner, 2), .set(.photo, 0, ["name": 9])])))),
      cascade(
        .edit(.set(.owner, 0, ["name": 1])),
        .save(
          .at(0, .save(.init(table: .owner, ids: [2]))),
          .at(0, .write([.delete(.owner, 2), .set(.photo, 3, ["name": 1]), .set(.photo, 0, ["name": 9])])))),
      // An edit sees a row before a trigger of the save changes it, and deletes it afterwards.
      cascade(
        .edit(.delete(.photo, 1)),
        .save(.at(2, .discardRows(.owner, [0])), .at(2, .slowEdit([.delete(.shelf, 1)])))
      ).counting,
      cascade(
        .edit(.set(.owner, 3), .set(.photo, 2, ["parent": 1])),
        .save(.at(1, .slowEdit([.delete(.shelf, 1), .delete(.owner, 3)])))
      ).unique.counting.covered,
      // A row is changed with one deletion and goes along with another one, and only the first is taken back.
      cascade(
        .edit(.delete(.owner, 0), .delete(.owner, 1)), .edit(.set(.owner, 0)), .undo, .save(), .redo),
      // A row was changed with one deletion, and goes along with another one of an edit that sets it as well.
      cascade(
        .edit(.delete(.shelf, 0), .set(.photo, 3, ["parent": 1])), .edit(.delete(.owner, 2)),
        .save(.owner, 0, 1, 2), .act(.discardRows(.photo, [0, 1, 3])), .undo, .save(.shelf, 0, 3)
      ).covered,
      // A row that undo has moved away from one that undo deletes goes along with that, and is kept: it is not in conflict.
      setNull(
        .edit(.set(.shelf, 2, ["other": 1])), .edit(.delete(.shelf, 1)), .save(),
        .edit(.set(.shelf, 2, ["parent": 2])),
        .edit(.set(.shelf, 1, ["parent": 2]), .set(.shelf, 2, ["other": 1])), .save(), .undo,
        .save(.shelf, 1, 3)),
    ]
  }

  extension TaskHistory: CustomStringConvertible {
    /// The history as it is written among those that were found.
    var description: String {
      "\(ownersCascade ? "cascade" : "setNull")(\n  \(steps.map(\.description).joined(separator: ",\n  ")))"
        + (isUnique ? ".unique" : "") + (hasCounts ? ".counting" : "") + (hasCovers ? ".covered" : "")
    }
  }

  extension TaskHistory.Change: CustomStringConvertible {
    var description: String {
      guard let columns else { return ".delete(.\(table), \(id))" }
      let values = columns.sorted { $0.key < $1.key }.map {
        "\"\($0.key)\": \($0.value.map(String.init) ?? "nil")"
      }
      return ".set(.\(table), \(id)\(values.isEmpty ? "" : ", [\(values.joined(separator: ", "))]"))"
    }
  }

  extension TaskHistory.Act: CustomStringConvertible {
    var description: String {
      switch self {
      case .edit(let changes): ".edit(\(changes.map(\.description).joined(separator: ", ")))"
      case .slowEdit(let changes): ".slowEdit(\(changes))"
      case .undo: ".undo"
      case .redo: ".redo"
      case .discard: ".discard"
      case .discardRows(let table, let ids): ".discardRows(.\(table), \(ids))"
      case .save(let rows): ".save(\(rows.map { ".init(table: .\($0.table), ids: \($0.ids))" } ?? "nil"))"
      case .write(let changes): ".write(\(changes))"
      }
    }
  }

  extension TaskHistory.Step: CustomStringConvertible {
    var description: String {
      switch self {
      case .act(let act):
        return switch act {
        case .discardRows, .write, .save: ".act(\(act))"
        default: "\(act)"
        }
      case .write(let changes, let acts):
        let timed = acts.map { ".at(\($0.moment), \($0.act))" }.joined(separator: ", ")
        return ".write([\(changes.map(\.description).joined(separator: ", "))], [\(timed)])"
      case .save(let rows, let acts):
        let timed = acts.map { ".at(\($0.moment), \($0.act))" }.joined(separator: ", ")
        guard let rows else { return ".save(\(timed))" }
        let ids = rows.ids.map(String.init).joined(separator: ", ")
        return ".save(.\(rows.table), \(ids)\(timed.isEmpty ? "" : ", acts: \(timed)"))"
      }
    }
  }
#endif
