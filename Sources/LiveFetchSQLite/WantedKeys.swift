#if SQLite
  import CSQLiteHooks
  import LiveFetch

  /// The keys of rows that are wanted, which come in the list's order, or the other way round, with other rows between.
  ///
  /// So a row is compared with the first and the last key that is left, where SQLite has it; only one that is neither is
  /// looked for among all.
  struct WantedKeys {
    private let keys: [FetchValue]
    /// Those between which all are left but the ones in `early`.
    private var left: Range<Int>
    /// Those that came before their turn, by their places.
    private var early: Set<Int> = []
    /// The places of the keys, made when a row comes before its turn.
    private var places: [FetchValue: Int]?

    init(_ keys: [FetchValue]) {
      self.keys = keys
      left = keys.indices
    }

    var isEmpty: Bool { left.isEmpty }

    /// Takes a key out.
    /// - Returns: The key; nil when it is not wanted, or not any more.
    mutating func take(_ value: lists_value) -> FetchValue? {
      if left.isEmpty { return nil }
      if keys[left.lowerBound].isEqual(to: value) {
        defer { narrow(left.dropFirst()) }
        return keys[left.lowerBound]
      }
      if keys[left.upperBound - 1].isEqual(to: value) {
        defer { narrow(left.dropLast()) }
        return keys[left.upperBound - 1]
      }
      return search(FetchValue(value))
    }

    private mutating func narrow(_ range: Range<Int>) {
      left = range
      if early.isEmpty { return }
      while !left.isEmpty, early.remove(left.lowerBound) != nil { left = left.dropFirst() }
      while !left.isEmpty, early.remove(left.upperBound - 1) != nil { left = left.dropLast() }
    }

    private mutating func search(_ key: FetchValue) -> FetchValue? {
      let places = places ?? Dictionary(zip(keys, keys.indices)) { first, _ in first }
      self.places = places
      guard let place = places[key], left.contains(place), early.insert(place).inserted else { return nil }
      return key
    }
  }

  extension FetchValue {
    /// Whether this is a value that SQLite has.
    fileprivate func isEqual(to value: lists_value) -> Bool {
      switch self {
      case .null: value.type == 5
      case .integer(let number): value.type == 1 && value.integer == number
      case .real(let number): value.type == 2 && value.real == number
      case .text(let text): value.type == 3 && text.utf8.elementsEqual(value.buffer)
      case .blob(let bytes): value.type == 4 && bytes.elementsEqual(value.buffer)
      }
    }
  }
#endif
