#if SQLite
  import LiveFetch
  import Testing

  /// Cases that the law found once, shrunk; each is here for good.
  @Suite("Cases of the second law that are kept")
  struct KeptCaseTests {
    @Test("A row whose key is no text is not taken for the row that has U+FFFD there")
    func objectsBesideInvalidKeys() async throws {
      try await Law.hold(
        LawCase(
          seed: 2861, keyType: FetchColumnType.text, dateType: FetchColumnType.dateSeconds,
          columns: [
            Column(role: Optional(Role.id), name: "id", type: "", clauses: ["NOT NULL PRIMARY KEY"]),
            Column(role: Optional(Role.other), name: "other", type: "SMALLINT", clauses: ["DEFAULT 1"]),
            Column(role: Optional(Role.number), name: "number", type: "INT"),
            Column(role: Optional(Role.name), name: "name", type: "BLOB"),
          ],
          rows: [
            Statement(
              head: "INSERT OR IGNORE INTO \"item\"",
              assignments: [
                Assignment(column: "id", value: "\'k\' || char(65533)"),
                Assignment(column: "other", value: "5"),
              ]),
            Statement(
              head: "INSERT OR IGNORE INTO \"item\"",
              assignments: [Assignment(column: "id", value: "\'k10\'")]),
            Statement(
              head: "INSERT OR IGNORE INTO \"item\"", assignments: [Assignment(column: "id", value: "\'k9\'")]
            ),
            Statement(
              head: "INSERT OR IGNORE INTO \"item\"", assignments: [Assignment(column: "id", value: "\'k6\'")]
            ),
            Statement(
              head: "INSERT OR IGNORE INTO \"item\"", assignments: [Assignment(column: "id", value: "\'k5\'")]
            ),
            Statement(
              head: "INSERT OR IGNORE INTO \"item\"", assignments: [Assignment(column: "id", value: "\'k4\'")]
            ),
          ], after: ["CREATE UNIQUE INDEX i2 ON \"item\" (\"other\", \"number\", \"name\")"],
          laterRows: [
            Statement(
              head: "INSERT OR IGNORE INTO \"item\"", assignments: [Assignment(column: "id", value: "\'k8\'")]
            )
          ], lists: [ListSpec(filter: Filter.everything, sorts: [Sort(role: Role.other)])],
          steps: [
            Step(
              means: Step.Means.write,
              statements: [
                Statement(
                  head: "INSERT INTO \"item\"",
                  assignments: [Assignment(column: "id", value: "CAST(x\'6bff\' AS TEXT)")])
              ])
          ],
          features: [
            Feature.addColumnVirtual, Feature.check, Feature.collateNocase, Feature.collateRtrim,
            Feature.defaultConstant, Feature.dropColumnLive, Feature.foreignDeferred,
            Feature.foreignSetDefault, Feature.foreignUpdateCascade, Feature.indexUnique, Feature.invalidText,
            Feature.keyText, Feature.limited, Feature.otherReplace, Feature.reconfigured,
            Feature.savepointReleased, Feature.statementFail, Feature.triggerBefore, Feature.typeBlob,
            Feature.typeInteger, Feature.typeReal,
          ]))
    }
  }
#endif
