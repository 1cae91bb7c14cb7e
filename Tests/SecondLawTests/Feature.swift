#if SQLite
  /// The features of SQLite's CREATE TABLE, ALTER TABLE and statements, as the report counts them: each must be in some
  /// schema.
  enum Feature: String, CaseIterable, Hashable, Sendable {
    // Types and affinities.
    case typeInteger, typeNumeric, typeNone, typeReal, typeText, typeBlob, typeAny, typeOdd, undecodableRow,
      mixedValues
    // Defaults.
    case defaultConstant, defaultExpression
    // ALTER TABLE, before the store is opened and while lists are live.
    case addColumnDefault, addColumnNull, addColumnVirtual, addColumnReferences, addColumnCollated
    case addColumnLive, addColumnByOthers, dropColumnLive, renameColumnLive, renameTableLive
    case remadeTable, remadeByOthers
    // Generated columns.
    case virtualFirst, virtualMiddle, virtualLast, storedFirst, storedMiddle, storedLast, generatedListed
    // Collations.
    case collateNocase, collateRtrim, collatedKey
    // Tables.
    case withoutRowid, withoutRowidReal, strict, quotedName, check
    // Keys.
    case keyRowid, keyInteger, keyAutoincrement, keyText, keyUUID, keyUUIDText, keyUnique, keyUniqueIndex
    case keyNull, compositeUnique, compositeRefused, normalForms, textNUL
    // Indexes.
    case indexPartial, indexUnique, indexUniquePartial, indexExpression, indexUniqueExpression
    case indexCollated, indexDescending
    // Foreign keys.
    case foreignCascade, foreignSetNull, foreignSetDefault, foreignRestrict, foreignNoAction
    case foreignUpdateCascade, foreignDeferred, foreignSelf
    // Triggers.
    case triggerAfter, triggerBefore, triggerUpdateOf, triggerRecursive, triggerInsteadOf, triggerRaise
    // Conflict clauses of statements and of constraints.
    case statementRollback, statementAbort, statementFail, statementIgnore, statementReplace
    case constraintRollback, constraintAbort, constraintFail, constraintIgnore, constraintReplace
    // Statements.
    case upsert, upsertNothing, updateFrom, insertSelect, keyChange, deleteAll
    case savepointReleased, savepointUndone, transactionUndone, withoutTransaction
    // Databases and writers.
    case attached, temporary, temporaryOfSameName, vacuum, backup, otherConnection, otherReplace,
      sqliteProgram
    case view, reconfigured
    // Lists.
    case limited, sectionedBySortKeys, sectionedByZone, sectionedOverClocks
    // Lists of GRDB's records with a date, and listeners that read only when all is over.
    case recordDate, lateListener
    // Values: texts that Swift takes for equal and SQLite does not; columns of another type than the property; text that is
    // no UTF-8.
    case textTwins, typeMismatch, invalidText
  }

  extension Feature {
    /// The features that the schema of a seed is to have; eight, so that any thirty seeds in a row have each more than
    /// once: some exclude one another, and what is refused runs nothing.
    static func demanded(of seed: Int) -> [Feature] {
      let stride = (allCases.count + 7) / 8
      return (0..<8).map { allCases[(seed + $0 * stride) % allCases.count] }
    }
  }
#endif
