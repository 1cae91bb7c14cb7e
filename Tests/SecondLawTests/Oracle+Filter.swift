#if SQLite
  import LiveFetch

  extension Oracle {
    /// Returns whether SQL takes a row; nil for NULL, which it does not take either.
    func holds(_ filter: Filter, _ row: Int) -> Bool? {
      func cell(_ role: Role) -> Cell { self.cell(role, row) }
      func equals(_ role: Role, _ value: Cell) -> Bool { Cell.compare(cell(role), value) == 0 }
      func text(_ value: String) -> Cell { .text(Array(value.utf8)) }
      /// A comparison by order: NULL when one side is.
      func ordered(_ value: Cell, _ bound: Cell, _ test: (Int) -> Bool) -> Bool? {
        value.isNull || bound.isNull ? nil : test(Cell.compare(value, bound))
      }
      switch filter {
      case .everything: return true
      case .numberIs(let value): return equals(.number, .integer(value))
      case .numberIsNot(let value), .notNumber(let value): return !equals(.number, .integer(value))
      case .numberIsNil: return cell(.number).isNull
      case .numberBelow(let value):
        let number = cell(.number).isNull ? .integer(0) : cell(.number)
        return ordered(number, .integer(value)) { $0 < 0 }
      case .numberAmong(let values): return values.contains { equals(.number, .integer($0)) }
      case .numberIsAndName(let value, let name):
        return equals(.number, .integer(value)) && equals(.name, text(name))
      case .numberIsOrName(let value, let name):
        return equals(.number, .integer(value)) || equals(.name, text(name))
      case .otherFrom(let value): return ordered(cell(.other), .integer(value)) { $0 >= 0 }
      case .otherWithin(let low, let high):
        guard let from = ordered(cell(.other), .integer(low), { $0 >= 0 }),
          let to = ordered(cell(.other), .integer(high), { $0 <= 0 })
        else { return nil }
        return from && to
      case .textIs(let value): return equals(.text, text(value))
      case .textIsNil: return cell(.text).isNull
      case .nameIs(let value): return equals(.name, text(value))
      case .nameBefore(let value): return ordered(cell(.name), text(value)) { $0 < 0 }
      case .nameContains(let value): return searched { $0.firstRange(of: value.utf8) != nil }
      case .nameStarts(let value): return searched { $0.starts(with: value.utf8) }
      case .realAbove(let value):
        let real = cell(.real).isNull ? .real(0) : cell(.real)
        return ordered(real, .real(value)) { $0 > 0 }
      case .bytesAre(let value): return equals(.bytes, .blob(value))
      case .madeIs(let value): return equals(.made, .integer(value))
      }

      /// A search in text, by bytes; what is no text has nothing in it.
      func searched(_ test: ([UInt8]) -> Bool) -> Bool? {
        if case .text(let bytes) = cell(.name) { test(bytes) } else { nil }
      }
    }
  }
#endif
