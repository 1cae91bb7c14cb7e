#if SQLite
  import LiveFetch

  extension SchemaGenerator {
    // MARK: Lists

    private var roles: Set<Role> { Set((law.columns + law.added).compactMap(\.role)) }

    mutating func makeLists() {
      // Beside a list of all rows nothing is passed over: where there is none, changes are routed by what filters demand.
      let first = list(everything: dice.chance(40))
      law.lists = [first] + (0..<dice.below(3)).map { _ in list(everything: false) }
      demandOfLists()
    }

    /// Gives the last list what the seed demands of one.
    private mutating func demandOfLists() {
      let last = law.lists.count - 1
      if demanded.contains(.limited), law.lists[last].limit == nil {
        law.lists[last].limit = 1 + dice.below(6)
      }
      let isOverClocks = features.contains(.sectionedOverClocks)
      if isOverClocks || demanded.contains(.sectionedByZone) {
        var section = Sectioning(role: .date, kind: dice.one(of: [.year, .month, .day]))
        section.zone = Self.zones[dice.below(Self.zones.count)]
        if isOverClocks { (section.kind, section.zone) = (.day, Oracle.zoneOverMidnight) }
        law.lists[last].section = section
        law.lists[last].sorts.removeAll { $0.role == .date }
        law.lists[last].sorts.append(Sort(role: .other))
        law.lists[last].hidden.removeAll { $0 == .date || $0 == .other }
      } else if demanded.contains(.sectionedBySortKeys) {
        law.lists[last].section = Sectioning(role: .number, order: .bySortKeys)
        law.lists[last].sorts = [Sort(role: .number), Sort(role: .name)]
        law.lists[last].hidden.removeAll { $0 == .number || $0 == .name }
      }
      for list in law.lists {
        if list.limit != nil { features.insert(.limited) }
        if list.section?.order == .bySortKeys { features.insert(.sectionedBySortKeys) }
        if let zone = list.section?.zone, zone != Oracle.zoneOverMidnight {
          features.insert(.sectionedByZone)
        }
      }
    }

    /// Zones whose clocks never go back over midnight: of their days each calendar says the same.
    private static var zones: [String] { ["America/New_York", "Asia/Kathmandu", "Pacific/Auckland"] }

    mutating func list(everything: Bool) -> ListSpec {
      var spec = ListSpec()
      if !everything {
        var filters: [Filter] = [
          .numberIs(Int64(dice.below(4))), .numberIs(Int64(dice.below(4))), .numberIs(0), .numberIs(1),
          .numberIsNot(1), .numberIsNil,
          .numberBelow(2), .numberAmong([0, 2]), .numberIsAndName(1, "bob"), .numberIsOrName(2, "b"),
          .notNumber(0), .otherFrom(2), .otherWithin(1, 3), .nameIs("bob"), .nameIs("bob"), .nameIs("BOB"),
          .nameBefore("b"),
          .nameContains("o"), .nameStarts("B"), .nameContains("7"), .nameIs("7"), .nameBefore("10"),
        ]
        if roles.contains(.text) { filters += [.textIs("bob"), .textIs(""), .textIsNil] }
        if roles.contains(.real) { filters += [.realAbove(1.5)] }
        if roles.contains(.bytes) { filters += [.bytesAre([0xff])] }
        if roles.contains(.made) { filters += [.madeIs(1), .madeIs(2), .madeIs(3)] }
        spec.filter = dice.one(of: filters)
      }
      let available = Role.allCases.filter { roles.contains($0) }
      for role in dice.shuffled(available).prefix(1 + dice.below(2)) { spec.sorts.append(sort(role)) }
      if dice.chance(35) { spec.section = sectioning(&spec) }
      if dice.chance(25) {
        spec.limit = dice.below(8)
        if dice.chance(40) { spec.offset = dice.below(4) }
      }
      if dice.chance(20) {
        spec.hidden = available.filter { $0 != .id && !spec.roles.contains($0) && dice.chance(50) }
      }
      return spec
    }

    private mutating func sort(_ role: Role) -> Sort {
      var sort = Sort(role: role, isDescending: dice.chance(40))
      sort.isFolded = (role == .name || role == .text) && dice.chance(20)
      sort.nullsFirst = dice.chance(20) ? sort.isDescending : !sort.isDescending
      return sort
    }

    private mutating func sectioning(_ spec: inout ListSpec) -> Sectioning? {
      let role = dice.one(of: Role.allCases.filter { roles.contains($0) && $0 != .id })
      var section = Sectioning(role: role)
      if role == .name || role == .text { section.kind = dice.one(of: [.value, .value, .folded, .initial]) }
      if role == .date {
        section.kind = dice.one(of: [.value, .year, .month, .day])
        if section.kind != .value, dice.chance(40) { section.zone = dice.one(of: Self.zones) }
      }
      section.order = dice.one(of: [.automatic, .automatic, .ascending, .descending, .bySortKeys])
      // The first sort key is of the section's own property, with nothing of which the documentation leaves open
      // how it goes with sections.
      if dice.chance(50) || section.order == .bySortKeys || spec.sorts[0].role == role {
        let isFolded = section.kind == .folded || section.kind == .initial
        let isDescending = dice.chance(40)
        spec.sorts.removeAll { $0.role == role }
        spec.sorts.insert(
          Sort(role: role, isDescending: isDescending, isFolded: isFolded, nullsFirst: !isDescending), at: 0)
      }
      return section
    }

    // MARK: Steps

    mutating func makeSteps() {
      if features.contains(.view) {
        law.after += [
          "ALTER TABLE \(table) RENAME TO base", "CREATE VIEW \(table) AS SELECT * FROM base",
        ]
      }
      for _ in 0..<14 { law.steps.append(Step(means: .write, statements: statements())) }
      for feature in Feature.allCases {
        if let step = step(for: feature) { law.steps.insert(step, at: dice.below(law.steps.count + 1)) }
      }
      for _ in 0..<4 { law.steps.append(Step(means: .write, statements: [statement()])) }
      if hasParent, dice.chance(80) {
        let parents = [
          "DELETE FROM parent WHERE pid = \(dice.below(3))", "UPDATE parent SET pid = 9 WHERE pid = 1",
          "DELETE FROM parent WHERE pid IN (2, 3)", "UPDATE parent SET pid = pid + 10 WHERE pid < 3",
        ]
        for sql in parents {
          let step = Step(means: .write, statements: [Statement(head: sql)])
          law.steps.insert(step, at: dice.below(law.steps.count + 1))
        }
      }
      if features.contains(.addColumnReferences) {
        law.steps.append(
          Step(means: .write, statements: [Statement(head: "DELETE FROM godparent WHERE gid = 2")]))
      }
      let isForeign: Set<Feature> = [
        .otherConnection, .otherReplace, .sqliteProgram, .addColumnByOthers, .remadeByOthers,
      ]
      let isUsed = !features.isDisjoint(with: isForeign) || dice.chance(15)
      law.observesOthers = mayObserveOthers && isUsed
    }

    private mutating func statements() -> [Statement] { (0...dice.below(4)).map { _ in statement() } }

    private func plain(_ sql: [String], _ means: Step.Means, _ feature: Feature) -> Step {
      Step(means: means, statements: sql.map { Statement(head: $0) }, feature: feature)
    }

    /// The step that a feature is, if it is one and the case is to have it.
    private mutating func step(for feature: Feature) -> Step? {
      func plain(_ sql: [String], _ means: Step.Means) -> Step { self.plain(sql, means, feature) }
      switch feature {
      case .statementRollback, .statementAbort, .statementFail, .statementIgnore, .statementReplace, .upsert,
        .upsertNothing, .updateFrom, .insertSelect, .keyChange:
        return wants(feature, 10) ? Step(means: .write, statements: [special(feature)]) : nil
      case .deleteAll:
        guard wants(feature, 10) else { return nil }
        return Step(means: .write, statements: [special(feature), insertion("INSERT"), insertion("INSERT")])
      case .savepointReleased, .savepointUndone:
        guard wants(feature, 15) else { return nil }
        let end = feature == .savepointUndone ? ["ROLLBACK TO one", "RELEASE one"] : ["RELEASE one"]
        return Step(
          means: .write,
          statements: [statement(), Statement(head: "SAVEPOINT one"), update("UPDATE"), statement()]
            + end.map { Statement(head: $0) } + [update("UPDATE")], feature: feature)
      case .withoutTransaction:
        guard wants(feature, 15) else { return nil }
        return Step(
          means: .outside,
          statements: statements() + [update("UPDATE OR FAIL"), insertion("INSERT OR FAIL")],
          feature: feature)
      case .transactionUndone:
        return wants(feature, 10) ? Step(means: .undone, statements: statements(), feature: feature) : nil
      case .triggerInsteadOf:
        guard features.contains(feature) else { return nil }
        return plain(
          [
            "UPDATE shown SET \"number\" = 2, \"name\" = 'bob' WHERE \"id\" < 5",
            "DELETE FROM shown WHERE \"id\" = 3",
          ],
          .write)
      case .attached:
        guard wants(feature, 8) else { return nil }
        return plain(
          [
            "ATTACH ':memory:' AS extra",
            law.create(law.table).replacing("CREATE TABLE ", with: "CREATE TABLE extra."),
            "INSERT INTO extra.\(table) (\"id\", \"number\", \"name\") VALUES (\(key()), 1, 'bob')",
            "UPDATE extra.\(table) SET \"number\" = 2", "DELETE FROM extra.\(table)",
          ], .outside)
      case .temporary:
        guard wants(feature, 8) else { return nil }
        return plain(
          [
            "CREATE TEMP TABLE passing AS SELECT * FROM \(table)", "DELETE FROM passing",
            "CREATE TEMP TRIGGER t8 AFTER UPDATE ON \(table) BEGIN UPDATE \(table) SET \"other\" = 3 WHERE \"id\" = new.\"id\"; END",
          ], .outside)
      case .temporaryOfSameName:
        guard wants(feature, 2) else { return nil }
        return plain(
          [
            "CREATE TEMP TABLE \(table) AS SELECT * FROM main.\(table)",
            "UPDATE temp.\(table) SET \"number\" = 1",
            "UPDATE main.\(table) SET \"number\" = 2 WHERE \"number\" = 1", "DROP TABLE temp.\(table)",
          ], .outside)
      case .vacuum: return wants(feature, 10) ? plain(["VACUUM"], .outside) : nil
      case .backup:
        guard wants(feature, 6) else { return nil }
        return Step(means: .backup, statements: [update("UPDATE"), statement()], feature: feature)
      case .otherConnection:
        guard wants(feature, 12) else { return nil }
        law.steps.append(Step(means: .otherUnseen, statements: statements()))
        return Step(means: .other, statements: statements(), feature: feature)
      case .otherReplace:
        guard wants(feature, 8) else { return nil }
        return Step(
          means: .other,
          statements: [
            insertion("REPLACE"), update("UPDATE OR REPLACE"), insertion("REPLACE"), insertion("REPLACE"),
          ],
          feature: feature)
      case .sqliteProgram:
        return wants(feature, 5) ? Step(means: .program, statements: statements(), feature: feature) : nil
      case .reconfigured:
        guard wants(feature, 30) else { return nil }
        let first = Step(
          means: .reconfigure(law.lists.count - 1, list(everything: dice.chance(50))), feature: feature)
        law.steps.append(Step(means: .reconfigure(law.lists.count - 1, law.lists[law.lists.count - 1])))
        law.steps.append(Step(means: .reconfigure(0, list(everything: false))))
        law.steps.append(Step(means: .write, statements: [update("UPDATE"), update("UPDATE")]))
        law.steps.append(Step(means: .reconfigure(0, law.lists[0])))
        return first
      default: return alteration(feature)
      }
    }

    /// A change of the schema while lists are live.
    private mutating func alteration(_ feature: Feature) -> Step? {
      func plain(_ sql: [String], _ means: Step.Means) -> Step { self.plain(sql, means, feature) }
      let added = "ALTER TABLE \(table) ADD COLUMN"
      switch feature {
      case .addColumnLive:
        guard wants(feature, 8) else { return nil }
        return plain(
          [
            "\(added) z1 TEXT NOT NULL DEFAULT 'z'",
            "UPDATE \(table) SET z1 = 'y', \"name\" = 'new' \(condition())",
          ], .write)
      case .addColumnByOthers:
        guard wants(feature, 5) else { return nil }
        return plain(
          ["\(added) z2 INTEGER DEFAULT 4", "UPDATE \(table) SET z2 = 5, \"name\" = 'new' \(condition())"],
          .other)
      case .dropColumnLive:
        guard wants(feature, 6) else { return nil }
        return plain(["\(added) z3 TEXT", "ALTER TABLE \(table) DROP COLUMN z3"], .write)
      case .renameColumnLive:
        guard wants(feature, 6) else { return nil }
        return plain(["\(added) z4 TEXT DEFAULT 'r'", "ALTER TABLE \(table) RENAME COLUMN z4 TO z5"], .write)
      case .renameTableLive:
        guard wants(feature, 5) else { return nil }
        return plain(
          [
            "ALTER TABLE \(table) RENAME TO away", "DELETE FROM away WHERE \"number\" = 1",
            "ALTER TABLE away RENAME TO \(table)",
          ],
          .write)
      case .remadeTable, .remadeByOthers:
        guard wants(feature, 5) else { return nil }
        // SQLite's own recipe (“Making Other Kinds Of Table Schema Changes”): make a new one, copy, drop, rename.
        let columns = law.columns + law.added
        let isMade = { (column: Column) in column.clauses.contains { $0.hasPrefix("GENERATED") } }
        var remade = law
        // Columns exchange positions, as they do where one is taken out and added again.
        remade.columns = dice.shuffled(columns)
        let names = columns.filter { !isMade($0) }.map(\.name.quotedName).joined(separator: ", ")
        let parts = law.after.filter {
          $0.contains("INDEX ") || $0.contains("TRIGGER t") && !$0.contains(" ON shown")
        }
        return plain(
          [
            "PRAGMA foreign_keys = OFF", "PRAGMA legacy_alter_table = ON", "BEGIN", remade.create("new one"),
            "INSERT INTO \"new one\" (\(names)) SELECT \(names) FROM \(table)", "DROP TABLE \(table)",
            "ALTER TABLE \"new one\" RENAME TO \(table)",
          ] + parts + ["COMMIT", "PRAGMA legacy_alter_table = OFF", "PRAGMA foreign_keys = ON"],
          feature == .remadeTable ? .outside : .other)
      default: return nil
      }
    }
  }
#endif
