#if SQLite
  import LiveFetch

  extension SchemaGenerator {
    // MARK: Generated columns

    mutating func makeGeneratedColumns() {
      let positions: [(Feature, String, Int)] = [
        (.virtualFirst, "VIRTUAL", 0), (.virtualMiddle, "VIRTUAL", 1), (.virtualLast, "VIRTUAL", 2),
        (.storedFirst, "STORED", 0), (.storedMiddle, "STORED", 1), (.storedLast, "STORED", 2),
      ]
      var number = 0
      for (feature, storage, position) in positions where wants(feature, 8) {
        number += 1
        let isListed = !law.columns.contains { $0.role == .made } && wants(.generatedListed, 50)
        insert(generated(number, storage, isListed), position)
      }
      if demanded.contains(.generatedListed), features.insert(.generatedListed).inserted {
        let storage = forbidden.contains(.virtualFirst) ? "STORED" : dice.one(of: ["VIRTUAL", "STORED"])
        insert(generated(7, storage, true), dice.below(3))
      }
    }

    private mutating func insert(_ column: Column, _ position: Int) {
      let middle = law.columns.isEmpty ? 0 : 1 + dice.below(law.columns.count)
      law.columns.insert(column, at: [0, middle, law.columns.count][position])
    }

    private mutating func generated(_ number: Int, _ storage: String, _ isListed: Bool) -> Column {
      let expression =
        isListed
        ? dice.one(of: ["coalesce(\"other\", 0) % 3", "length(\"name\")", "\"other\" * 2"])
        : dice.one(of: ["length(\"name\")", "upper(\"name\")", "typeof(\"number\")", "\"other\" + 1"])
      let type = isStrict ? (isListed ? "INTEGER" : "ANY") : isListed ? dice.one(of: ["INTEGER", ""]) : ""
      return Column(
        role: isListed ? .made : nil, name: isListed ? "made" : "g\(number)", type: type,
        clauses: ["GENERATED ALWAYS AS (\(expression)) \(storage)"])
    }

    // MARK: Foreign keys

    mutating func makeReferences() {
      let actions: [(Feature, String)] = [
        (.foreignCascade, "ON DELETE CASCADE"), (.foreignSetNull, "ON DELETE SET NULL"),
        (.foreignSetDefault, "ON DELETE SET DEFAULT"), (.foreignRestrict, "ON DELETE RESTRICT"),
        (.foreignNoAction, "ON DELETE NO ACTION"),
      ]
      var clauses: [String] = []
      let wanted = actions.filter { demanded.contains($0.0) }
      if let (_, action) = (wanted.isEmpty ? actions : wanted).first(where: { wants($0.0, 5) }) {
        clauses.append(action)
      }
      if wants(.foreignUpdateCascade, 5) {
        clauses.append("ON UPDATE \(dice.one(of: ["CASCADE", "CASCADE", "SET NULL", "SET DEFAULT"]))")
      }
      if wants(.foreignDeferred, 4) { clauses.append("DEFERRABLE INITIALLY DEFERRED") }
      if !clauses.isEmpty {
        law.before += [
          "CREATE TABLE parent (pid INTEGER PRIMARY KEY, label TEXT)",
          "INSERT INTO parent SELECT value, 'p' FROM json_each('[0,1,2,3,4,5,6,7,8]')",
        ]
        // On the column that lists filter by, or on one of which they know nothing.
        let reference = "REFERENCES parent (pid) " + clauses.joined(separator: " ")
        if dice.chance(60), let number = law.columns.firstIndex(where: { $0.role == .number }) {
          law.columns[number].clauses.append(reference)
          if clauses.contains(where: { $0.contains("SET DEFAULT") }) {
            law.columns[number].clauses.removeAll { $0.hasPrefix("DEFAULT") }
            law.columns[number].clauses.append("DEFAULT 0")
          }
        } else {
          law.columns.append(
            Column(role: nil, name: "pid", type: "INTEGER", clauses: ["DEFAULT 0", reference]))
        }
      }
      if law.keyType == .integer, wants(.foreignSelf, 5), !features.contains(.compositeRefused),
        !features.contains(.keyUniqueIndex)
      {
        law.columns.append(
          Column(
            role: nil, name: "up", type: "INTEGER",
            clauses: [
              "REFERENCES \(table) (\"id\") ON DELETE \(dice.one(of: ["CASCADE", "SET NULL"])) ON UPDATE CASCADE"
            ]))
      }
    }

    var hasParent: Bool { !law.before.isEmpty }

    // MARK: ALTER TABLE ADD COLUMN over rows that are there

    mutating func makeAddedColumns() {
      let any = isStrict ? "ANY" : ""
      if wants(.addColumnDefault, 15) { move([.number, .other, .real], notNull: true) }
      if wants(.addColumnNull, 8) { move([.text, .bytes, .date], notNull: false) }
      if wants(.addColumnCollated, 5) {
        law.added.append(
          Column(role: nil, name: "y1", type: "TEXT", clauses: ["DEFAULT 'y'", "COLLATE NOCASE"]))
      }
      if wants(.addColumnVirtual, 8) {
        let isListed = !law.columns.contains { $0.role == .made }
        law.added.append(
          Column(
            role: isListed ? .made : nil, name: isListed ? "made" : "y2", type: isStrict ? "INTEGER" : "",
            clauses: ["GENERATED ALWAYS AS (length(\"name\")) VIRTUAL"]))
      }
      if wants(.addColumnReferences, 4) {
        law.before.append("CREATE TABLE godparent (gid INTEGER PRIMARY KEY)")
        law.before.append("INSERT INTO godparent VALUES (1), (2), (3)")
        law.added.append(
          Column(
            role: nil, name: "gid", type: isStrict ? "INTEGER" : any,
            clauses: ["REFERENCES godparent (gid) ON DELETE CASCADE"]))
      }
    }

    /// Takes a column out of CREATE TABLE, to be added with a default when there are rows.
    private mutating func move(_ roles: [Role], notNull: Bool) {
      for role in dice.shuffled(roles) {
        guard let index = law.columns.firstIndex(where: { $0.role == role }) else { continue }
        var column = law.columns[index]
        let mentions = law.columns.flatMap(\.clauses) + law.constraints
        guard !mentions.contains(where: { $0.contains("\"\(column.name)\"") && !$0.hasPrefix("DEFAULT") })
        else {
          continue
        }
        column.clauses.removeAll {
          $0.hasPrefix("NOT NULL") || $0.hasPrefix("DEFAULT") || (notNull && $0.hasPrefix("REFERENCES"))
        }
        if notNull {
          column.clauses.insert("NOT NULL DEFAULT \(dice.one(of: ["0", "1", "2"]))", at: 0)
        }
        law.columns.remove(at: index)
        law.added.append(column)
        return
      }
      law.added.append(
        Column(
          role: nil, name: notNull ? "y3" : "y4", type: "INTEGER",
          clauses: notNull ? ["NOT NULL DEFAULT 1"] : []))
    }

    // MARK: Indexes

    mutating func makeIndexes() {
      let indexes: [(Feature, String)] = [
        (.indexPartial, "INDEX i1 ON \(table) (\"name\") WHERE \"number\" IS NOT NULL"),
        (.indexUnique, "UNIQUE INDEX i2 ON \(table) (\"other\", \"number\", \"name\")"),
        (.indexUniquePartial, "UNIQUE INDEX i3 ON \(table) (\"name\") WHERE \"other\" = 1"),
        (.indexExpression, "INDEX i4 ON \(table) (lower(\"name\"), \"other\" + 1)"),
        (.indexUniqueExpression, "UNIQUE INDEX i5 ON \(table) (lower(\"name\"), \"number\")"),
        (
          .indexCollated,
          "\(dice.one(of: ["", "UNIQUE "]))INDEX i6 ON \(table) (\"name\" COLLATE NOCASE, \"other\")"
        ),
        (.indexDescending, "INDEX i7 ON \(table) (\"number\" DESC, \"id\")"),
      ]
      for (feature, index) in indexes where wants(feature, 12) { law.after.append("CREATE " + index) }
    }

    // MARK: Triggers

    mutating func makeTriggers() {
      let isKeyed = law.keyType == .integer
      if wants(.triggerAfter, 8) {
        law.after.append(
          dice.one(of: [
            "CREATE TRIGGER t1 AFTER INSERT ON \(table) BEGIN UPDATE \(table) SET \"number\" = 1 WHERE \"id\" = new.\"id\" AND \"number\" = 3; END",
            "CREATE TRIGGER t1 AFTER DELETE ON \(table) BEGIN UPDATE \(table) SET \"other\" = \"other\" + 1 WHERE \"number\" = old.\"number\"; END",
            "CREATE TRIGGER t1 AFTER UPDATE ON \(table) WHEN new.\"number\" = 4 BEGIN DELETE FROM \(table) WHERE \"id\" = new.\"id\"; END",
          ]))
      }
      if wants(.triggerBefore, 6) {
        law.after.append(
          "CREATE TRIGGER t2 BEFORE INSERT ON \(table) BEGIN DELETE FROM \(table) WHERE \"other\" = 7; UPDATE \(table) SET \"name\" = upper(\"name\") WHERE \"number\" = new.\"number\"; END"
        )
      }
      if wants(.triggerUpdateOf, 6) {
        law.after.append(
          "CREATE TRIGGER t3 AFTER UPDATE OF \"name\" ON \(table) BEGIN UPDATE \(table) SET \"other\" = 2 WHERE \"id\" = new.\"id\"; END"
        )
      }
      if wants(.triggerRecursive, 5) {
        law.after += [
          "PRAGMA recursive_triggers = ON",
          "CREATE TRIGGER t4 AFTER UPDATE OF \"number\" ON \(table) WHEN new.\"number\" > 0 AND new.\"number\" < 6 BEGIN UPDATE \(table) SET \"number\" = new.\"number\" - 1 WHERE \"id\" = new.\"id\"; UPDATE \(table) SET \"number\" = \"number\" - 2 WHERE \"number\" > 4 AND \"number\" < 9; END",
        ]
      }
      if wants(.triggerRaise, 5) {
        law.after.append(
          "CREATE TRIGGER t5 BEFORE UPDATE ON \(table) WHEN new.\"other\" = 5 BEGIN SELECT raise(\(dice.one(of: ["IGNORE", "ABORT, 'no'", "FAIL, 'no'", "ROLLBACK, 'no'"]))); END"
        )
      }
      if isKeyed, wants(.triggerInsteadOf, 5) {
        law.after += [
          "CREATE VIEW shown AS SELECT \"id\", \"number\", \"name\" FROM \(table)",
          "CREATE TRIGGER t6 INSTEAD OF UPDATE ON shown BEGIN UPDATE \(table) SET \"number\" = new.\"number\", \"name\" = new.\"name\" WHERE \"id\" = old.\"id\"; END",
          "CREATE TRIGGER t7 INSTEAD OF DELETE ON shown BEGIN DELETE FROM \(table) WHERE \"id\" = old.\"id\"; END",
        ]
      }
    }
  }
#endif
