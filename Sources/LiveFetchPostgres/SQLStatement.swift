#if PostgreSQL
  import LiveStore

  /// SQL and its parameters, as PostgreSQL wants them: `$1`, `$2`, …
  struct SQLStatement {
    var sql = ""
    var parameters: [Parameter] = []

    init(_ sql: String = "", _ parameters: [Parameter] = []) {
      self.sql = sql
      self.parameters = parameters
    }

    mutating func append(_ text: String) { sql += text }

    mutating func bind(_ parameter: Parameter) {
      parameters.append(parameter)
      sql += "$\(parameters.count)"
    }

    /// A name in double quotes.
    static func quoted(_ name: String) -> String { SQLText.quoted(name) }
  }

  extension SQLStatement {
    /// The SQL of a request's own, with `$n` for each `?` outside of quotes and comments.
    ///
    /// SQL that has `$1` already is taken as it is: its `?` are operators.
    /// - Throws: `FetchDescriptorError` where there are more or fewer values than it takes.
    init(raw query: SQLText) throws {
      let (sql, count) = RawSQL.numbered(query.sql)
      if count != query.values.count {
        throw FetchError.request(.parameterCount(count, values: query.values.count))
      }
      self.init(sql, query.values.map { Parameter(raw: $0) })
    }
  }

  extension Parameter {
    /// A value for SQL of somebody's own, whose type the server finds out.
    init(raw value: FetchValue) {
      switch value {
      case .null: self = .null
      case .integer(let number): self = .literal(String(number))
      case .real(let number):
        self = .literal(number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)")
      case .text(let text): self = .literal(text)
      case .blob(let bytes): self = .bytes(bytes)
      }
    }

    /// A value of Swift's for SQL of somebody's own.
    /// - Throws: `FetchError` for a value that has no stored form.
    init<Value: FetchColumnValue>(_ value: Value) throws {
      let type = Value.fetchColumnType
      guard let stored = value.fetchValue(as: type) else {
        throw FetchError.request(.unsupported("This value has no stored form: \(value)."))
      }
      switch (type, stored) {
      case (.uuid, .blob(let bytes)) where bytes.count == 16: self = .uuid(bytes)
      case (.date, .integer(let microseconds)): self = .time(microseconds, withZone: true)
      default: self.init(raw: stored)
      }
    }
  }

  /// Finds the parameters in SQL of somebody's own.
  enum RawSQL {
    /// The SQL with `$1`, `$2`, … for its `?`, and how many values it takes.
    static func numbered(_ sql: String) -> (sql: String, count: Int) {
      var scanner = Scanner(Array(sql.utf8))
      let numbered = scanner.numbered()
      return (numbered, scanner.hasNumbers ? scanner.highest : scanner.count)
    }

    /// The first words of a statement in capitals, without comments.
    static func firstWords(_ sql: String, most: Int = 3) -> [String] {
      var scanner = Scanner(Array(sql.utf8.prefix(4_096)))
      return scanner.firstWords(most)
    }

    /// Goes through SQL, and passes over what is quoted or commented out.
    private struct Scanner {
      let bytes: [UInt8]
      var offset = 0
      var result: [UInt8] = []
      var count = 0
      var hasNumbers = false
      /// The highest number of a parameter.
      var highest = 0

      init(_ bytes: [UInt8]) { self.bytes = bytes }

      func byte(at offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

      mutating func numbered() -> String {
        while let byte = byte(at: offset) {
          switch byte {
          case UInt8(ascii: "'"): takeQuoted(byte, escapes: isEscapeString)
          case UInt8(ascii: "\""): takeQuoted(byte, escapes: false)
          case UInt8(ascii: "-") where self.byte(at: offset + 1) == byte: takeLine()
          case UInt8(ascii: "/") where self.byte(at: offset + 1) == UInt8(ascii: "*"): takeComment()
          case UInt8(ascii: "$"): takeDollar()
          case UInt8(ascii: "?"):
            count += 1
            result += "$\(count)".utf8
            offset += 1
          default: take()
          }
        }
        return String(decoding: hasNumbers ? bytes : result, as: UTF8.self)
      }

      mutating func firstWords(_ most: Int) -> [String] {
        var words: [String] = []
        while words.count < most, let byte = byte(at: offset) {
          switch byte {
          case UInt8(ascii: "-") where self.byte(at: offset + 1) == byte: takeLine()
          case UInt8(ascii: "/") where self.byte(at: offset + 1) == UInt8(ascii: "*"): takeComment()
          case 9...13, UInt8(ascii: " "), UInt8(ascii: ";"): take()
          default:
            let start = offset
            while let byte = self.byte(at: offset), Self.isWord(byte) { take() }
            if offset == start { return words }
            words.append(String(decoding: bytes[start..<offset], as: UTF8.self).uppercased())
          }
        }
        return words
      }

      private mutating func take() {
        result.append(bytes[offset])
        offset += 1
      }

      /// Whether the quote at the offset begins a string with backslashes: `E'…'`.
      private var isEscapeString: Bool {
        guard offset > 0, bytes[offset - 1] | 0x20 == UInt8(ascii: "e") else { return false }
        return offset < 2 || !Self.isWord(bytes[offset - 2])
      }

      private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
          true
        default: false
        }
      }

      private mutating func takeQuoted(_ quote: UInt8, escapes: Bool) {
        take()
        while let byte = byte(at: offset) {
          take()
          if byte == quote { return }
          if escapes, byte == UInt8(ascii: "\\"), self.byte(at: offset) != nil { take() }
        }
      }

      private mutating func takeLine() {
        while let byte = byte(at: offset), byte != 10 { take() }
      }

      /// Comments may be within one another.
      private mutating func takeComment() {
        var depth = 0
        repeat {
          let pair = (byte(at: offset), byte(at: offset + 1))
          if pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) { depth += 1 }
          if pair == (UInt8(ascii: "*"), UInt8(ascii: "/")) { depth -= 1 }
          if pair.1 != nil,
            pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) || pair == (UInt8(ascii: "*"), UInt8(ascii: "/"))
          {
            take()
          }
          take()
        } while depth > 0 && offset < bytes.count
      }

      /// A parameter's number, or text between two `$tag$`.
      private mutating func takeDollar() {
        if offset > 0, Self.isWord(bytes[offset - 1]) { return take() }
        var end = offset + 1
        while let byte = byte(at: end), Self.isWord(byte) { end += 1 }
        if let first = byte(at: offset + 1), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) {
          hasNumbers = true
          highest = max(highest, Int(String(decoding: bytes[(offset + 1)..<end], as: UTF8.self)) ?? 0)
          return take()
        }
        guard byte(at: end) == UInt8(ascii: "$") else { return take() }
        let tag = bytes[offset...end]
        for _ in tag { take() }
        while offset < bytes.count {
          if bytes[offset...].starts(with: tag) {
            for _ in tag { take() }
            return
          }
          take()
        }
      }
    }
  }
#endif
