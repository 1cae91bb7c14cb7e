#if SQLite
  import CSQLiteHooks
  import GRDB
  import LiveStore

  /// The functions that the queries of lists use, on every connection of a store.
  ///
  /// They are added without GRDB, which takes a text for ended at its first zero byte.
  enum SQLiteFunctions {
    static func add(to db: Database) throws {
      guard let connection = db.sqliteConnection else { return }
      let raw = UnsafeMutableRawPointer(connection)
      let codes = [
        lists_add_function(raw, SQLFunction.fold, 1) { context, arguments in
          guard let arguments, case .text(let text) = FetchValue(arguments[0]) else { return }
          SQLiteFunctions.give(TextFolding.fold(text), to: context)
        },
        lists_add_function(raw, SQLFunction.section, 3) { context, arguments in
          guard let arguments else { return }
          SQLiteFunctions.giveSection(arguments, in: nil, to: context)
        },
        lists_add_function(raw, SQLFunction.section, 4) { context, arguments in
          guard let arguments, case .text(let identifier) = FetchValue(arguments[3]),
            let zone = SectionZone.named(identifier)
          else { return }
          SQLiteFunctions.giveSection(arguments, in: zone, to: context)
        },
      ]
      if let code = codes.first(where: { $0 != 0 }) {
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }

    private static func giveSection(
      _ arguments: UnsafePointer<lists_value>, in zone: SectionZone?, to context: UnsafeMutableRawPointer?
    ) {
      guard case .integer(let kind) = FetchValue(arguments[0]),
        case .integer(let type) = FetchValue(arguments[1]), let kind = FetchSectionKind(rawValue: Int(kind)),
        let type = FetchColumnType(code: Int(type))
      else { return }
      let value = FetchValue(arguments[2])
      if !value.isNull { give(kind.name(of: value, type, in: zone), to: context) }
    }

    private static func give(_ text: String, to context: UnsafeMutableRawPointer?) {
      var text = text
      text.withUTF8 { lists_return_text(context, $0.baseAddress, CInt($0.count)) }
    }
  }
#endif
