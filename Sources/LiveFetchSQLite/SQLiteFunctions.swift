#if SQLite
  import GRDB
  import LiveFetch

  /// The functions that the queries of lists use, on every connection of a store.
  enum SQLiteFunctions {
    static func add(to db: Database) {
      db.add(
        function: DatabaseFunction(SQLFunction.fold, argumentCount: 1, pure: true) { values in
          guard case .string(let text) = values[0].storage else { return nil }
          return TextFolding.fold(text)
        })
      db.add(
        function: DatabaseFunction(SQLFunction.section, argumentCount: 3, pure: true) { values in
          guard case .int64(let kind) = values[0].storage, case .int64(let type) = values[1].storage,
            let kind = FetchSectionKind(rawValue: Int(kind)), let type = FetchColumnType(code: Int(type)),
            !values[2].isNull
          else { return nil }
          return kind.name(of: FetchValue(values[2]), type)
        })
    }
  }
#endif
