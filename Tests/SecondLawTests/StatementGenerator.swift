#if SQLite
  import LiveFetch

  extension SchemaGenerator {
    // MARK: Values

    /// A key, as SQL writes it: one of few, so that rows meet.
    mutating func key(_ bound: Int = 14) -> String {
      let number = 1 + dice.below(bound)
      switch law.keyType {
      case .text:
        if features.contains(.normalForms), dice.chance(40) {
          return dice.one(of: ["'caf\u{e9}'", "'cafe\u{301}'", "'\u{212b}'", "'\u{c5}'"])
        }
        if features.contains(.textNUL), dice.chance(40) {
          return dice.one(of: ["'k' || char(0) || '1'", "'k' || char(0) || '2'", "'k'"])
        }
        if features.contains(.collatedKey), dice.chance(40) {
          return dice.one(of: ["'K\(number)'", "'k\(number) '"])
        }
        if features.contains(.keyNull), dice.chance(15) { return "NULL" }
        if makesInvalidText, dice.chance(15) {
          return dice.one(of: ["CAST(x'6bff' AS TEXT)", "CAST(x'6bfe' AS TEXT)", "'k' || char(65533)"])
        }
        return "'k\(number)'"
      case .uuid:
        return "x'00000000000000000000000000000\(number + 100)'"
      case .uuidText: return "'00000000-0000-0000-0000-000000000\(number + 100)'"
      default: return dice.chance(3) ? "9007199254740993" : "\(number)"
      }
    }

    /// A value for a column, in so many of a hundred one that does not fit its type.
    mutating func literal(_ role: Role, odd: Int) -> String {
      let isOdd = dice.chance(odd) && makesBadRows
      switch role {
      case .id: return key()
      case .number:
        if isOdd { return dice.one(of: ["'x'", "2.5", "x'01'"]) }
        if makesMixed, dice.chance(10) {
          return dice.one(
            of: ["'2'", "2.0", "3.0", "'1.0'"])
        }
        return dice.one(of: ["NULL", "0", "1", "2", "3", "4", "5", "-1"])
      case .other, .made: return dice.one(of: ["0", "1", "2", "3", "5", "7"])
      case .real:
        if isOdd { return dice.one(of: ["'abc'", "x'00'", "9007199254740993"]) }
        return dice.one(of: ["NULL", "0", "1.5", "-2.25", "2.0", "22", "1e10", "9e999"])
      case .text, .name:
        if isOdd { return dice.one(of: ["x'61'", "7"]) }
        if makesInvalidText, dice.chance(20) {
          return dice.one(of: [
            "CAST(x'ff61' AS TEXT)", "CAST(x'61fe' AS TEXT)", "CAST(x'fe61' AS TEXT)", "char(65533) || 'a'",
          ])
        }
        if makesTwins, dice.chance(30) {
          return dice.one(of: ["'caf\u{e9}'", "'cafe\u{301}'", "'K'", "'\u{212a}'"])
        }
        let plain = ["'a'", "'A'", "'b'", "'bob'", "'BOB'", "'Bob '", "'bob'", "''", "'zed'", "'\u{e9}'"]
        if dice.chance(6) {
          let text = dice.one(of: ["'\u{df}'", "'caf\u{e9}'", "'a' || char(0) || 'b'", "'10'"])
          if makesNUL || !text.contains("char(0)") { return text }
        }
        return role == .text && dice.chance(25) ? "NULL" : dice.one(of: plain)
      case .bytes: return dice.one(of: ["NULL", "x''", "x'00'", "x'ff01'", "x'ff'"])
      case .date:
        var day = dice.one(of: ["1999-12-31", "2024-02-29", "2024-03-01", "2024-03-02"])
        var time = dice.one(of: ["00:00:00.000", "23:59:59.000", "12:00:00.000"])
        if features.contains(.sectionedOverClocks), dice.chance(70) {
          // Around the minute after midnight in St John's, and the hour that followed it once more.
          day = "2010-11-07"
          time = dice.one(of: [
            "02:29:59.000", "02:30:00.000", "02:30:58.000", "02:31:00.000", "03:29:59.000", "03:30:00.000",
          ])
        }
        if dice.chance(20) { return "NULL" }
        switch law.dateType {
        case .dateText: return "'\(day) \(time)'"
        case .date: return "strftime('%s', '\(day) \(time)') * 1000000"
        default: return "strftime('%s', '\(day) \(time)') + 0.5"
        }
      }
    }

    private mutating func value(_ column: Column, odd: Int) -> String {
      if let role = column.role { return literal(role, odd: odd) }
      switch column.name {
      case "pid": return dice.one(of: ["NULL", "0", "1", "2", "3"])
      case "gid": return dice.one(of: ["NULL", "1", "2", "3"])
      case "up": return dice.chance(50) ? "NULL" : key(6)
      case "y3", "y4": return "\(dice.below(3))"
      default: return column.type == "REAL" ? "2.5" : dice.one(of: ["'p'", "'q'"])
      }
    }

    private var writable: [Column] {
      (law.columns + law.added).filter { column in !column.clauses.contains { $0.hasPrefix("GENERATED") } }
    }

    // MARK: Statements

    mutating func insertion(_ head: String, odd: Int = 0, into columns: [Column]? = nil) -> Statement {
      var values: [Assignment] = []
      for column in columns ?? writable where column.role == .id || dice.chance(85) {
        values.append(Assignment(column: column.name, value: value(column, odd: odd)))
      }
      return Statement(head: "\(head) INTO \(table)", assignments: values)
    }

    mutating func makeRows() {
      let first = writable.filter { column in !law.added.contains(column) }
      for _ in 0..<8 { law.rows.append(insertion("INSERT OR IGNORE", odd: 3, into: first)) }
      if demanded.contains(.undecodableRow) || demanded.contains(.mixedValues) {
        for _ in 0..<4 { law.rows.append(insertion("INSERT OR IGNORE", odd: 60, into: first)) }
      }
      for _ in 0..<5 { law.laterRows.append(insertion("INSERT OR IGNORE", odd: 3)) }
    }

    mutating func condition() -> String {
      switch dice.below(10) {
      case 0...4: "WHERE \"id\" = \(key())"
      case 5: "WHERE \"number\" = \(dice.below(4))"
      case 6: "WHERE \"other\" > \(dice.below(4))"
      case 7: "WHERE \"name\" = 'bob'"
      case 8: "WHERE \"id\" IN (\(key()), \(key()), \(key()))"
      default: "WHERE \"number\" IS NULL OR \"name\" < 'b'"
      }
    }

    mutating func update(_ head: String) -> Statement {
      let targets = writable.filter { $0.role != .id }
      var values: [Assignment] = []
      for column in dice.shuffled(targets).prefix(1 + dice.below(3)) {
        let expression: String
        switch column.role {
        case .number where dice.chance(30): expression = "\"number\" + 1"
        case .name where dice.chance(20): expression = "upper(\"name\")"
        case .other where dice.chance(20): expression = "\"other\""
        default: expression = value(column, odd: 3)
        }
        values.append(Assignment(column: column.name, value: expression))
      }
      return Statement(head: "\(head) \(table)", isUpdate: true, assignments: values, tail: condition())
    }

    /// Any statement that changes rows.
    mutating func statement() -> Statement {
      let conflicts: [(Feature, String)] = [
        (.statementRollback, "OR ROLLBACK"), (.statementAbort, "OR ABORT"), (.statementFail, "OR FAIL"),
        (.statementIgnore, "OR IGNORE"), (.statementReplace, "OR REPLACE"),
      ]
      switch dice.below(20) {
      case 0...3: return insertion("INSERT", odd: 3)
      case 4...6:
        let (feature, clause) = dice.one(of: conflicts)
        return tagged(insertion("INSERT \(clause)", odd: 2), feature)
      case 7...11: return update("UPDATE")
      case 12, 13:
        let (feature, clause) = dice.one(of: conflicts)
        return tagged(update("UPDATE \(clause)"), feature)
      case 14, 15: return Statement(head: "DELETE FROM \(table) \(condition())")
      default:
        return special(dice.one(of: [.upsert, .upsertNothing, .updateFrom, .insertSelect, .keyChange]))
      }
    }

    private func tagged(_ statement: Statement, _ feature: Feature) -> Statement {
      var statement = statement
      statement.feature = feature
      return statement
    }

    /// A statement that is a feature.
    mutating func special(_ feature: Feature) -> Statement {
      var result: Statement
      switch feature {
      case .statementRollback: result = insertion("INSERT OR ROLLBACK")
      case .statementAbort: result = update("UPDATE OR ABORT")
      case .statementFail: result = update("UPDATE OR FAIL")
      case .statementIgnore: result = update("UPDATE OR IGNORE")
      case .statementReplace: result = insertion("REPLACE")
      case .upsert:
        result = insertion("INSERT")
        result.tail = "ON CONFLICT DO UPDATE SET \"name\" = 'up', \"number\" = coalesce(\"number\", 0) + 1"
      case .upsertNothing:
        result = insertion("INSERT")
        result.tail = "ON CONFLICT DO NOTHING"
      case .updateFrom:
        result = Statement(
          head:
            "UPDATE \(table) SET \"number\" = v.value FROM json_each('[0,1,2,3]') AS v WHERE \"other\" = v.key"
        )
      case .insertSelect:
        let shift = law.keyType == .integer ? "\"id\" + 20" : key()
        let columns = writable.filter { $0.role != .id }.map(\.name.quotedName).joined(separator: ", ")
        result = Statement(
          head:
            "INSERT OR IGNORE INTO \(table) (\"id\", \(columns)) SELECT \(shift), \(columns) FROM \(table) \(condition())"
        )
      case .keyChange:
        result = Statement(
          head: "UPDATE OR REPLACE \(table) SET \"id\" = \(key()) WHERE \"id\" = \(key())")
      default: result = Statement(head: "DELETE FROM \(table)")
      }
      result.feature = feature
      return result
    }
  }
#endif
