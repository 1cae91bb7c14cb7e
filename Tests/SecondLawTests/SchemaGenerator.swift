#if SQLite
  import LiveFetch

  /// Makes the case of a seed: a schema with the features that the seed demands and others by chance.
  struct SchemaGenerator {
    var dice: Dice
    var law: LawCase
    var features: Set<Feature> = []
    let demanded: Set<Feature>
    let forbidden: Set<Feature>
    let mayObserveOthers: Bool
    var isStrict = false
    var makesBadRows = false
    var makesMixed = false
    var makesNUL = false
    var makesTwins = false
    var makesInvalidText = false
    var hasRowid = true

    init(
      seed: Int, demanded: Set<Feature>? = nil, forbidden: Set<Feature> = [], observesOthers: Bool = true
    ) {
      dice = Dice(seed: UInt64(bitPattern: Int64(seed)))
      law = LawCase(seed: seed)
      self.forbidden = forbidden
      mayObserveOthers = observesOthers
      self.demanded = (demanded ?? Set(Feature.demanded(of: seed))).subtracting(forbidden)
    }

    /// Returns whether the case is to have a feature: because it must, or by chance in so many of a hundred.
    mutating func wants(_ feature: Feature, _ percent: Int) -> Bool {
      let chance = dice.chance(percent)
      guard !forbidden.contains(feature), demanded.contains(feature) || chance else { return false }
      features.insert(feature)
      return true
    }

    mutating func make() -> LawCase {
      if wants(.quotedName, 10) {
        law.table = dice.one(
          of: ["it\"em", "order", "tö ne", "it'em"])
      }
      isStrict = wants(.strict, 15)
      let key = kindOfKey
      let needsRowid = [.keyAutoincrement, .keyUniqueIndex, .keyNull].contains(key)
      hasRowid = needsRowid || !wants(.withoutRowid, 20)
      if !needsRowid, wants(.withoutRowidReal, 5) { hasRowid = false }
      _ = wants(.view, 2)
      // GRDB ends texts at a zero byte; what becomes of such records is not the law's affair.
      if key != .textNUL { _ = wants(.recordDate, 10) }
      _ = wants(.sectionedOverClocks, 4)
      makeKey(key)
      makeColumns()
      makeGeneratedColumns()
      makeConstraints()
      makeReferences()
      if !hasRowid { law.options.append("WITHOUT ROWID") }
      if isStrict { law.options.append("STRICT") }
      makeAddedColumns()
      makeIndexes()
      makeTriggers()
      makesBadRows = wants(.undecodableRow, 30)
      makesMixed = !isStrict && wants(.mixedValues, 30)
      makesNUL = features.contains(.textNUL)
      makesTwins = wants(.textTwins, 15)
      makesInvalidText = wants(.invalidText, 10)
      makeRows()
      makeLists()
      makeSteps()
      law.features = features.sorted { $0.rawValue < $1.rawValue }
      return law
    }

    // MARK: Keys

    /// The kind of the key, which goes round with the seeds: kinds exclude one another, and each is to be there.
    private var kindOfKey: Feature {
      let kinds: [Feature] = [
        .keyRowid, .keyText, .keyInteger, .compositeUnique, .keyUUID, .keyRowid, .collatedKey, .keyNull,
        .keyRowid,
        .keyUniqueIndex, .keyText, .normalForms, .keyUUIDText, .keyRowid, .keyAutoincrement, .keyUnique,
        .textNUL, .keyText, .keyUUID, .compositeRefused,
      ]
      let kind = kinds[law.seed % kinds.count]
      return forbidden.contains(kind) ? .keyRowid : kind
    }

    private mutating func makeKey(_ kind: Feature) {
      var clauses: [String] = []
      var type = "INTEGER"
      features.insert(kind)
      switch kind {
      case .keyInteger:
        type = isStrict ? "INT" : dice.one(of: ["INT", "BIGINT", "UNSIGNED BIG INT", "NUMERIC"])
        clauses = ["NOT NULL PRIMARY KEY"]
      case .keyAutoincrement: clauses = ["PRIMARY KEY AUTOINCREMENT"]
      case .keyText, .normalForms, .textNUL:
        law.keyType = .text
        type = isStrict ? "TEXT" : dice.one(of: ["TEXT", "VARCHAR(10)", ""])
        clauses = ["NOT NULL PRIMARY KEY"]
      case .collatedKey:
        law.keyType = .text
        type = "TEXT"
        clauses = ["NOT NULL", "COLLATE \(dice.one(of: ["NOCASE", "RTRIM"]))", "PRIMARY KEY"]
      case .keyNull:
        law.keyType = .text
        type = "TEXT"
        clauses = ["PRIMARY KEY"]
      case .keyUUID:
        law.keyType = .uuid
        type = "BLOB"
        clauses = ["NOT NULL PRIMARY KEY"]
      case .keyUUIDText:
        law.keyType = .uuidText
        type = "TEXT"
        clauses = ["NOT NULL PRIMARY KEY"]
      case .keyUnique where hasRowid: clauses = ["NOT NULL UNIQUE"]
      case .keyUnique:
        clauses = ["NOT NULL UNIQUE"]
        law.constraints.append("PRIMARY KEY (\"name\", \"id\")")
      case .keyUniqueIndex:
        clauses = ["NOT NULL"]
        law.after.append(
          "DELETE FROM \(law.table.quotedName) WHERE rowid NOT IN (SELECT min(rowid) FROM \(law.table.quotedName) GROUP BY \"id\")"
        )
        law.after.append("CREATE UNIQUE INDEX one_id ON \(law.table.quotedName) (\"id\")")
      case .compositeUnique:
        clauses = ["NOT NULL UNIQUE"]
        law.constraints.append("PRIMARY KEY (\"other\", \"id\")")
      case .compositeRefused:
        clauses = ["NOT NULL"]
        law.constraints.append("PRIMARY KEY (\"id\", \"other\")")
      default: clauses = [dice.one(of: ["PRIMARY KEY", "PRIMARY KEY", "NOT NULL PRIMARY KEY ASC"])]
      }
      if clauses.contains("PRIMARY KEY"), dice.chance(15) {
        clauses[clauses.count - 1] += " ON CONFLICT " + dice.one(of: ["REPLACE", "IGNORE", "FAIL"])
      }
      law.columns.append(Column(role: .id, name: "id", type: type, clauses: clauses))
    }

    var table: String { law.table.quotedName }

    // MARK: Columns

    private mutating func type(_ loose: [(String, Feature)], _ strict: [(String, Feature)]) -> String {
      let pool = isStrict ? strict : loose
      let must = pool.filter { demanded.contains($0.1) }
      let (type, feature) = dice.one(of: must.isEmpty ? pool : must)
      features.insert(feature)
      return type
    }

    private mutating func makeColumns() {
      let numbersAsText: [(String, Feature)] = [("TEXT", .typeMismatch), ("VARCHAR(8)", .typeMismatch)]
      add(
        .number,
        !isStrict && wants(.typeMismatch, 4)
          ? numbersAsText
          : [
            ("INTEGER", .typeInteger), ("INT", .typeInteger), ("NUMERIC", .typeNumeric),
            ("BOOLEAN", .typeNumeric),
            ("DECIMAL(10,5)", .typeNumeric), ("", .typeNone), ("FLOATING POINT", .typeOdd),
            ("CHARINT", .typeOdd),
          ], [("INTEGER", .typeInteger), ("INT", .typeInteger), ("ANY", .typeAny)], 100)
      add(
        .other, [("INTEGER", .typeInteger), ("SMALLINT", .typeInteger), ("NUMERIC", .typeNumeric)],
        [("INTEGER", .typeInteger), ("ANY", .typeAny)], 100)
      let texts: [(String, Feature)] = [
        ("TEXT", .typeText), ("VARCHAR(20)", .typeText), ("NCLOB", .typeText), ("", .typeNone),
        ("BLOB", .typeBlob), ("STRING", .typeOdd),
      ]
      let strictTexts: [(String, Feature)] = [("TEXT", .typeText), ("ANY", .typeAny)]
      add(.name, texts, strictTexts, 100)
      add(.text, texts, strictTexts, 60)
      add(
        .real,
        [("REAL", .typeReal), ("DOUBLE PRECISION", .typeReal), ("NUMERIC", .typeNumeric), ("", .typeNone)],
        [("REAL", .typeReal), ("ANY", .typeAny)],
        !hasRowid || demanded.contains(.withoutRowidReal) || demanded.contains(.typeReal) ? 100 : 50)
      add(
        .bytes, [("BLOB", .typeBlob), ("", .typeNone)], [("BLOB", .typeBlob), ("ANY", .typeAny)],
        demanded.contains(.typeBlob) ? 100 : 35)
      let isOfRecords = features.contains(.recordDate)
      law.dateType = isOfRecords ? .dateText : dice.one(of: [.date, .dateText, .dateSeconds])
      let isNeeded =
        isOfRecords || features.contains(.sectionedOverClocks) || demanded.contains(.sectionedByZone)
      let chance = isNeeded ? 100 : 35
      switch law.dateType {
      case .date: add(.date, [("INTEGER", .typeInteger)], [("INTEGER", .typeInteger)], chance)
      case .dateText:
        add(.date, [("DATETIME", .typeNumeric), ("TEXT", .typeText)], [("TEXT", .typeText)], chance)
      default: add(.date, [("REAL", .typeReal), ("TIMESTAMP", .typeNumeric)], [("REAL", .typeReal)], chance)
      }
      for number in 1...3 where dice.chance(30) {
        let type =
          isStrict ? dice.one(of: ["TEXT", "REAL", "ANY"]) : dice.one(of: ["TEXT", "REAL", "", "BLOB"])
        law.columns.append(Column(role: nil, name: "x\(number)", type: type, clauses: []))
      }
      for index in law.columns.indices where law.columns[index].role != .id {
        addClauses(index)
        guard !hasRowid, ["REAL", "DOUBLE PRECISION"].contains(law.columns[index].type) else { continue }
        if forbidden.contains(.withoutRowidReal) {
          law.columns[index].type = isStrict ? "ANY" : "NUMERIC"
        } else {
          features.insert(.withoutRowidReal)
        }
      }
      // The hook and the record count in orders of their own: the key stands anywhere.
      law.columns = dice.shuffled(law.columns)
      if features.contains(.withoutRowidReal), let real = law.columns.firstIndex(where: { $0.role == .real })
      {
        let column = law.columns.remove(at: real)
        law.columns.insert(column, at: 0)
      }
    }

    private mutating func add(
      _ role: Role, _ loose: [(String, Feature)], _ strict: [(String, Feature)], _ percent: Int
    ) {
      guard dice.chance(percent) else { return }
      law.columns.append(Column(role: role, name: role.rawValue, type: type(loose, strict), clauses: []))
    }

    private mutating func addClauses(_ index: Int) {
      let role = law.columns[index].role
      let isText = role == .name || role == .text
      if dice.chance(20) {
        features.insert(.defaultConstant)
        let value = role.map { literal($0, odd: 0) } ?? "'x'"
        law.columns[index].clauses.append(
          value.contains("(") || value.contains("||") ? "DEFAULT (\(value))" : "DEFAULT \(value)")
      } else if dice.chance(8), role == .number || isText {
        features.insert(.defaultExpression)
        law.columns[index].clauses.append(isText ? "DEFAULT (lower('D') || 'e')" : "DEFAULT (1 + 2)")
      }
      if isText {
        if wants(.collateNocase, 15) {
          law.columns[index].clauses.append("COLLATE NOCASE")
        } else if wants(.collateRtrim, 8) {
          law.columns[index].clauses.append("COLLATE RTRIM")
        }
      }
      if role == .other, wants(.check, 10) { law.columns[index].clauses.append("CHECK (\"other\" < 9)") }
    }

    // MARK: Constraints

    private mutating func makeConstraints() {
      let algorithms: [(Feature, String)] = [
        (.constraintRollback, "ROLLBACK"), (.constraintAbort, "ABORT"), (.constraintFail, "FAIL"),
        (.constraintIgnore, "IGNORE"), (.constraintReplace, "REPLACE"),
      ]
      for (feature, algorithm) in algorithms where wants(feature, 7) {
        switch dice.below(3) {
        case 0:
          guard let other = law.columns.firstIndex(where: { $0.role == .other }) else { continue }
          guard !law.columns[other].clauses.contains(where: { $0.hasPrefix("NOT NULL") }) else { fallthrough }
          law.columns[other].clauses = law.columns[other].clauses.filter { !$0.hasPrefix("DEFAULT") }
          law.columns[other].clauses += ["NOT NULL ON CONFLICT \(algorithm)", "DEFAULT 1"]
        default:
          // Two constraints over the same columns must have the same clause.
          let columns = dice.one(of: ["\"number\", \"name\"", "\"name\", \"other\"", "\"other\", \"number\""])
          law.constraints.removeAll { $0.hasPrefix("UNIQUE (\(columns))") }
          law.constraints.append("UNIQUE (\(columns)) ON CONFLICT \(algorithm)")
        }
      }
      if dice.chance(10), law.constraints.isEmpty { law.constraints.append("UNIQUE (\"other\", \"name\")") }
      // SQLite takes no column constraint after a table constraint, and of primary keys one.
      if demanded.contains(.defaultConstant), features.insert(.defaultConstant).inserted {
        law.columns.append(Column(role: nil, name: "x4", type: "TEXT", clauses: ["DEFAULT 'four'"]))
      }
      if demanded.contains(.defaultExpression), features.insert(.defaultExpression).inserted {
        law.columns.append(Column(role: nil, name: "x5", type: "TEXT", clauses: ["DEFAULT (lower('FIVE'))"]))
      }
    }
  }
#endif
