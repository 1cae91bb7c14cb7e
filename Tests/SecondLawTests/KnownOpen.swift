#if SQLite
  import Foundation

  /// The known faults that are not mended yet: left out of the law, and printed by every run. To be empty.
  ///
  /// `LAW_ALL=1` runs the law with all of it, `LAW_ALL=strict,backup` with what it names.
  enum KnownOpen {
    /// Features of schemas, by the number of the finding.
    static let features = listed.filter { !isTried($0.key.rawValue) }

    private static let tried = ProcessInfo.processInfo.environment["LAW_ALL"]

    private static func isTried(_ name: String) -> Bool {
      tried.map { $0 == "1" || $0.split(separator: ",").contains { $0 == name } } ?? false
    }

    private static let listed: [Feature: String] = [:]
  }

  extension Feature {
    /// Whether a schema with the feature may be refused, with a reason.
    var mayBeRefused: Bool {
      switch self {
      case .compositeRefused, .view, .temporaryOfSameName: true
      default: false
      }
    }

    /// Whether the feature is a statement or a step, which counts when it ran.
    var isStatement: Bool {
      switch self {
      case .addColumnLive, .addColumnByOthers, .dropColumnLive, .renameColumnLive, .renameTableLive,
        .remadeTable, .remadeByOthers, .statementRollback, .statementAbort, .statementFail, .statementIgnore,
        .statementReplace, .upsert, .upsertNothing, .updateFrom, .insertSelect, .keyChange, .deleteAll,
        .savepointReleased, .savepointUndone, .transactionUndone, .withoutTransaction, .attached, .temporary,
        .temporaryOfSameName, .vacuum, .backup, .otherConnection, .otherReplace, .sqliteProgram,
        .reconfigured, .recordDate, .lateListener:
        true
      default: false
      }
    }
  }

  extension LawCase {
    /// Whether a statement may write a row more than once: by triggers and foreign keys.
    var hasSideEffects: Bool {
      after.contains { $0.contains("TRIGGER") } || !before.isEmpty
        || steps.contains { $0.feature == .temporary } || features.contains(.foreignSelf)
        || features.contains(.invalidText) || schema.contains { $0.sql.contains("REPLACE") }
        || hidesBesideVirtualColumns || hasNumbersOfTwoForms
    }
  }

  extension LawCase {
    /// Beside columns that are computed when they are read nobody knows which columns a write changes: a change of
    /// those that are not shown is told.
    private var hidesBesideVirtualColumns: Bool {
      lists.contains { !$0.hidden.isEmpty } && schema.contains { $0.sql.contains("VIRTUAL") }
    }
  }

  extension LawCase {
    /// Where a column keeps the form of a number, an older SQLite does not say whether 2 was there or 2.0: the row is told.
    private var hasNumbersOfTwoForms: Bool {
      (columns + added).contains { ["", "ANY", "BLOB"].contains($0.type) }
    }
  }

  extension Statement {
    /// Whether it may write a row and put it back as it was.
    var touchesTwice: Bool { sql.contains("REPLACE") || sql.contains("ON CONFLICT") || sql.contains(";") }
  }
#endif
