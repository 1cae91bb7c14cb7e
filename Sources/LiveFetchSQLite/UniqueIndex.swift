#if SQLite
  import GRDB
  import LiveStore

  /// A unique index, as a condition for the rows that a `REPLACE` of a new row would remove.
  struct UniqueIndex {
    private struct Term {
      /// The column, or the text of an expression in parentheses.
      var text: String
      /// The columns that an expression mentions; nil for a column.
      var columns: [String]?
      var collation: String
    }

    /// A column of the index's table.
    private struct Column {
      var name: String
      var isGenerated: Bool
      /// The value that replaces `NULL`, as SQL; nil where `NULL` stays what it is, or is refused.
      var substitute: String?

      /// The column's value in the new row.
      var new: String {
        let new = "NEW.\(SQLText.quoted(name))"
        return substitute.map { "coalesce(\(new), \($0))" } ?? new
      }
    }

    private let terms: [Term]
    /// All columns of the table.
    private let columns: [Column]

    /// Returns whether it is on one column alone, by bytes.
    func isOn(_ column: String?) -> Bool {
      guard terms.count == 1, let column, terms[0].columns == nil else { return false }
      return isSameName(terms[0].text, column) && terms[0].collation.uppercased() == "BINARY"
    }

    /// A condition that the rows with the same values as `NEW` meet, in a query of the index's table within a trigger.
    ///
    /// Of a partial index it is that of all rows: some are then named in vain.
    var condition: String {
      terms.map { term in
        let collation = "COLLATE \(SQLText.quoted(term.collation))"
        let named = columns.filter { column in
          (term.columns ?? [term.text]).contains { isSameName($0, column.name) }
        }
        let isGenerated = named.contains(where: \.isGenerated)
        let text = term.columns == nil ? SQLText.quoted(term.text) : term.text
        if term.columns == nil, !isGenerated, let column = named.first {
          return "\(text) \(collation) = \(column.new)"
        }
        // The term again, over columns of the same names that are those of the new row. Before an update SQLite computes
        // a generated column from those columns alone that a trigger names: all are named for it.
        let new = (isGenerated ? columns : named).map { "\($0.new) AS \(SQLText.quoted($0.name))" }
        let source = new.isEmpty ? "" : " FROM (SELECT \(new.joined(separator: ", ")))"
        let condition = "\(text) \(collation) = (SELECT \(text)\(source))"
        // It is computed before defaults have replaced NULL. Some rows are then named in vain.
        let unknown = columns.filter { isGenerated && $0.substitute != nil }
          .map { " OR NEW.\(SQLText.quoted($0.name)) IS NULL" }
        return unknown.isEmpty ? condition : "(\(condition)\(unknown.joined()))"
      }.joined(separator: " AND ")
    }

    /// The unique indexes of a table.
    /// - Throws: ``FetchError`` for an index whose expressions cannot be distinguished, or the database's error.
    static func all(on table: String, in db: Database) throws -> [UniqueIndex] {
      let columns = try Row.fetchAll(db, sql: "PRAGMA main.table_xinfo(\(SQLText.quoted(table)))").map {
        row in
        let (hidden, isRequired): (Int, Bool) = (row["hidden"], row["notnull"])
        let value: String? = row["dflt_value"]
        return Column(
          name: row["name"], isGenerated: hidden == 2 || hidden == 3,
          substitute: isRequired ? value.map(constant) : nil)
      }
      let names = columns.map(\.name)
      return try Row.fetchAll(db, sql: "PRAGMA main.index_list(\(SQLText.quoted(table)))")
        .filter { $0["unique"] == 1 }
        .map { entry in
          let name: String = entry["name"]
          let parts = try Row.fetchAll(db, sql: "PRAGMA main.index_xinfo(\(SQLText.quoted(name)))")
            .filter { $0["key"] == 1 }
          let texts = try expressions(of: name, in: db)
          let terms = try parts.map { part in
            let (column, collation): (String?, String?) = (part["name"], part["coll"])
            if let column { return Term(text: column, columns: nil, collation: collation ?? "BINARY") }
            let position: Int = part["seqno"]
            guard let texts, texts.indices.contains(position) else {
              throw FetchError.unwatchable(
                table,
                "has the unique index “\(name)”, whose expressions cannot be told apart: rows that other processes "
                  + "replace by it would be missed. Let it be of columns, or open the store without `observesOtherProcesses`"
              )
            }
            let words = SQLTokens(texts[position]).names
            return Term(
              text: "(\(texts[position]))",
              columns: names.filter { name in words.contains { isSameName($0, name) } },
              collation: collation ?? "BINARY")
          }
          return UniqueIndex(terms: terms, columns: columns)
        }
    }

    /// A column's default as an expression: a bare name is a text there, and would be a column elsewhere.
    private static func constant(_ value: String) -> String {
      guard let name = SQLTokens(value).onlyName, let first = name.utf8.first else { return "(\(value))" }
      let isQuoted = value.utf8.first != first
      let isValue =
        (48...57).contains(first)
        || ["NULL", "TRUE", "FALSE", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"].contains(
          name.uppercased())
      return !isQuoted && isValue ? value : ChangeLog.literal(name)
    }

    /// The terms of an index as they are declared, without their directions; nil for an index that was not declared.
    private static func expressions(of index: String, in db: Database) throws -> [String]? {
      let sql = try String.fetchOne(
        db, sql: "SELECT sql FROM main.sqlite_master WHERE type = 'index' AND name = ?", arguments: [index])
      return sql.flatMap { SQLTokens($0).indexTerms }
    }
  }

  /// A text of SQL in words, quoted names, texts and signs, without comments.
  struct SQLTokens {
    enum Kind { case word, quoted, text, sign }
    private let bytes: [UInt8]
    private var tokens: [(kind: Kind, range: Range<Int>)] = []

    init(_ sql: String) {
      bytes = Array(sql.utf8)
      var start = 0
      while start < bytes.count {
        let (kind, end) = token(at: start)
        if let kind { tokens.append((kind, start..<end)) }
        start = end
      }
    }

    private func token(at start: Int) -> (Kind?, Int) {
      func end(_ closing: UInt8, isDoubled: Bool) -> Int {
        var offset = start + 1
        while offset < bytes.count {
          if bytes[offset] == closing {
            guard isDoubled, offset + 1 < bytes.count, bytes[offset + 1] == closing else { return offset + 1 }
            offset += 1
          }
          offset += 1
        }
        return bytes.count
      }
      func isWord(_ byte: UInt8) -> Bool {
        byte >= 128 || byte == 95 || byte == 36 || (48...57).contains(byte) || (65...90).contains(byte & 0xDF)
      }
      let byte = bytes[start]
      let next = start + 1 < bytes.count ? bytes[start + 1] : 0
      switch byte {
      case UInt8(ascii: "'"): return (.text, end(byte, isDoubled: true))
      case UInt8(ascii: "\""), UInt8(ascii: "`"): return (.quoted, end(byte, isDoubled: true))
      case UInt8(ascii: "["): return (.quoted, end(UInt8(ascii: "]"), isDoubled: false))
      case UInt8(ascii: "-") where next == byte:
        return (nil, bytes[start...].firstIndex(of: 10) ?? bytes.count)
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        var offset = start + 2
        while offset + 1 < bytes.count, !(bytes[offset] == next && bytes[offset + 1] == byte) { offset += 1 }
        return (nil, min(offset + 2, bytes.count))
      case 9, 10, 12, 13, 32: return (nil, start + 1)
      case _ where isWord(byte): return (.word, bytes[start...].firstIndex { !isWord($0) } ?? bytes.count)
      default: return (.sign, start + 1)
      }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The words and quoted names, without their quotes.
    var names: [String] { tokens.indices.compactMap(name) }

    /// The word or quoted name at a position, without its quotes.
    private func name(_ position: Int) -> String? {
      let (kind, range) = tokens[position]
      switch kind {
      case .word: return text(range)
      case .quoted:
        let quote = bytes[range.lowerBound]
        let inner = text(range.dropFirst().dropLast().indices)
        let mark = String(UnicodeScalar(quote))
        return quote == UInt8(ascii: "[") ? inner : inner.replacing(mark + mark, with: mark)
      default: return nil
      }
    }

    /// The word or quoted name that is all of the text.
    var onlyName: String? { tokens.count == 1 ? names.first : nil }

    /// The columns of a partial index's condition, where that is nothing but `… IS NULL`, once or more with `AND`.
    var nullColumnsOfIndex: [String]? {
      func isWord(_ position: Int, _ word: String) -> Bool {
        tokens[position].kind == .word && text(tokens[position].range).uppercased() == word
      }
      guard let start = tokens.indices.first(where: { isWord($0, "WHERE") }) else { return nil }
      let condition = Array(tokens.indices[(start + 1)...])
      var columns: [String] = []
      for term in stride(from: 0, to: condition.count, by: 4) {
        guard term + 3 <= condition.count, let column = name(condition[term]),
          isWord(condition[term + 1], "IS"), isWord(condition[term + 2], "NULL"),
          term + 3 == condition.count || isWord(condition[term + 3], "AND")
        else { return nil }
        columns.append(column)
      }
      return condition.count % 4 == 3 ? columns : nil
    }

    /// The terms of a `CREATE INDEX`, without `ASC` and `DESC`; nil where the text is something else.
    var indexTerms: [String]? {
      func isSign(_ index: Int, _ sign: Character) -> Bool {
        tokens[index].kind == .sign && bytes[tokens[index].range.lowerBound] == sign.asciiValue
      }
      guard let opening = tokens.indices.first(where: { isSign($0, "(") }) else { return nil }
      var terms: [String] = []
      var (depth, start) = (0, opening + 1)
      func term(_ end: Int) -> String? {
        var end = end
        if end - 1 > start, tokens[end - 1].kind == .word,
          ["ASC", "DESC"].contains(text(tokens[end - 1].range).uppercased())
        {
          end -= 1
        }
        guard end > start else { return nil }
        // Without the comments between the tokens.
        var sql = ""
        for index in start..<end {
          if index > start, tokens[index - 1].range.upperBound < tokens[index].range.lowerBound { sql += " " }
          sql += text(tokens[index].range)
        }
        return sql
      }
      for index in opening..<tokens.count {
        if isSign(index, "(") { depth += 1 }
        if isSign(index, ")") { depth -= 1 }
        guard depth == 0 || depth == 1 && isSign(index, ",") else { continue }
        guard let term = term(index) else { return nil }
        terms.append(term)
        if depth == 0 { return terms }
        start = index + 1
      }
      return nil
    }
  }
#endif
