#if SQLite
  import Foundation

  /// What is known to be wrong and not mended yet: left out of the law, and printed by every run. To be empty.
  ///
  /// `LAW_ALL=1` runs the law with all of it.
  enum KnownOpen {
    private static let runsAll = ProcessInfo.processInfo.environment["LAW_ALL"] != nil

    /// Features of schemas, by the number of the finding.
    static let features: [Feature: String] = runsAll ? [:] : listed

    /// Parts of comparisons that are not made.
    static let gaps: [Gap: String] =
      runsAll
      ? [:]
      : [
        .objectsOutside:
          "6: objects of rows that are or were outside the list, and hidden columns, are kept for ever",
        .sectionsBySortKeys: "9: sections by sort keys that come apart and together again",
        .limitWithBadRows: "9: rows that cannot be listed count in SQL's LIMIT",
        .failures: "7: failures of a fetch are not told", .quotes: "14: table names with a quote",
        .rolledBack: "rows of a transaction that a conflict rolled back are told with the next commit",
      ]

    enum Gap: String, Hashable, Sendable {
      case objectsOutside, sectionsBySortKeys, limitWithBadRows, failures, quotes, rolledBack
    }

    static func has(_ gap: Gap) -> Bool { gaps[gap] != nil }

    private static let listed: [Feature: String] = [
      .addColumnDefault: "1", .addColumnLive: "1", .addColumnByOthers: "1", .addColumnCollated: "1",
      .renameColumnLive: "1", .virtualFirst: "2", .virtualMiddle: "2", .virtualLast: "2",
      .addColumnVirtual: "2",
      .withoutRowidReal: "3", .collateNocase: "4", .collateRtrim: "4", .collatedKey: "4", .remadeTable: "8",
      .remadeByOthers: "8", .otherReplace: "8", .view: "10", .temporaryOfSameName: "10", .backup: "10",
      .normalForms: "14", .textNUL: "14", .compositeRefused: "10",
    ]
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
        .savepointReleased, .savepointUndone, .transactionUndone, .attached, .temporary,
        .temporaryOfSameName, .vacuum, .backup, .otherConnection, .otherReplace, .sqliteProgram,
        .reconfigured:
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
        || schema.contains { $0.sql.contains("REPLACE") }
    }
  }

  extension Statement {
    /// Whether it may write a row and put it back as it was.
    var touchesTwice: Bool { sql.contains("REPLACE") || sql.contains("ON CONFLICT") || sql.contains(";") }
  }
#endif
