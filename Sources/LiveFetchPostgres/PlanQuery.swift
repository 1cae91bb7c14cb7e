#if PostgreSQL
  import LiveStore

  /// A plan as a query of PostgreSQL's.
  struct PlanQuery {
    var statement: SQLStatement
    /// The filter, where SQL cannot say all of it and memory looks at each row.
    var filter: FetchExpression?
    /// Whether the rows come in the order of the list. If not, the list sorts them.
    var isOrdered = true

    /// - Throws: `FetchError.request` for what neither SQL nor memory can say, or SQL alone where only some rows are wanted.
    init(_ plan: FetchPlan, of table: PostgresTable) throws {
      if let raw = plan.raw {
        statement = try SQLStatement(raw: raw.query)
        return
      }
      do {
        try Self.check(plan, table)
        var dialect = Dialect(table: table)
        dialect.text.append(
          "SELECT " + plan.columns.map { SQLStatement.quoted($0.name) }.joined(separator: ", "))
        dialect.text.append(" FROM \(table.name)")
        filter = try Self.filter(plan.filter, &dialect)
        let order = try Self.order(plan, table)
        if let order {
          dialect.text.append(" ORDER BY \(order)")
        } else {
          isOrdered = false
        }
        if plan.limit != nil || plan.offset > 0 {
          guard filter == nil, isOrdered else {
            throw Unsayable(
              reason:
                "A list with a limit or an offset cannot be \(isOrdered ? "filtered" : "ordered") by what PostgreSQL has no twin for: "
                + "folded text, or the names of sections. Give the table a column for it that the app fills, or let the list be whole."
            )
          }
          if let limit = plan.limit { dialect.text.append(" LIMIT \(limit)") }
          dialect.text.append(" OFFSET \(plan.offset)")
        }
        statement = dialect.text
      } catch let error as Unsayable {
        throw FetchError.request(.unsupported(error.reason))
      }
    }

    /// Checks that each column is there, and has values as the request expects them.
    private static func check(_ plan: FetchPlan, _ table: PostgresTable) throws {
      let dialect = Dialect(table: table)
      for column in plan.columns {
        let (found, kind) = try dialect.column(column.name)
        guard kind.admits(column.type) else {
          throw Unsayable(
            reason:
              "The column “\(column.name)” is of the type \(found.typeName), and the request expects \(column.type): "
              + "declare the column with `stored:`, or give the property the type that fits.")
        }
      }
    }

    /// Writes the filter, without those of its conjuncts that SQL cannot say.
    /// - Returns: The filter, where something was left out.
    private static func filter(_ filter: FetchExpression, _ dialect: inout Dialect) throws -> FetchExpression?
    {
      var conjuncts: [FetchExpression] = [filter]
      if case .all(let operands) = filter { conjuncts = operands }
      var isFirst = true
      var isPartial = false
      for conjunct in conjuncts where conjunct != .yes {
        var attempt = dialect
        attempt.text.append(isFirst ? " WHERE " : " AND ")
        do { try attempt.condition(conjunct, isLoose: true) } catch let error as Unsayable
          where error.isLeftToMemory
        {
          isPartial = true
          continue
        }
        dialect = attempt
        isFirst = false
      }
      return isPartial ? filter : nil
    }

    /// The terms of the order; nil where SQL has no twin of one of them.
    private static func order(_ plan: FetchPlan, _ table: PostgresTable) throws -> String? {
      let dialect = Dialect(table: table)
      var terms: [String] = []
      for component in plan.order {
        guard component.source == .value else { return nil }
        let (column, kind) = try dialect.column(component.name)
        var term = SQLStatement.quoted(component.name) + (kind.needsCollation ? " COLLATE \"C\"" : "")
        term += component.isDescending ? " DESC" : " ASC"
        // Said only where there can be NULLs: an index without the words would not serve the order.
        if !column.isNotNull { term += component.nullsFirst ? " NULLS FIRST" : " NULLS LAST" }
        terms.append(term)
      }
      let (_, kind) = try dialect.column(plan.columns[0].name)
      terms.append(SQLStatement.quoted(plan.columns[0].name) + (kind.needsCollation ? " COLLATE \"C\"" : ""))
      return terms.joined(separator: ", ")
    }
  }
#endif
