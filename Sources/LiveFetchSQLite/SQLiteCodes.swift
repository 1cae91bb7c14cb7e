#if SQLite
  import CSQLiteHooks
  import LiveStore

  // SQLite's numbers by their names. Its header is not imported here: which one it is differs from app to app.

  /// The operations of the pre-update hook.
  enum HookOperation {
    static let delete: CInt = 9
    static let insert: CInt = 18
    static let update: CInt = 23
  }

  /// The results of a statement's step.
  enum StepResult {
    static let row: CInt = 100
    static let done: CInt = 101
  }

  /// The types of values, and a number of our own for a value that is there and not known.
  enum ValueType {
    static let unknown: CInt = 0
    static let integer: CInt = 1
    static let real: CInt = 2
    static let text: CInt = 3
    static let blob: CInt = 4
    static let null: CInt = 5
  }

  extension lists_row {
    /// The columns that an update changes or may change; all for an insert and a delete.
    var columns: ColumnSet { ColumnSet(rawValue: changed) }
    var isUpdate: Bool { operation == HookOperation.update }
    var isInsert: Bool { operation == HookOperation.insert }
  }

  extension lists_value {
    /// Whether the value that the hook gives is not certain.
    var isUnknown: Bool { type == ValueType.unknown }
    /// Whether it can be the key of a row: known, and no text that Swift's has not.
    var isUsableKey: Bool { !isUnknown && FetchRawValue(self).isValid }
  }
#endif
