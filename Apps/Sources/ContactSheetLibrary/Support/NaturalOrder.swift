/// The order in which people expect numbered files: `IMG_9` before `IMG_10`.
enum NaturalOrder {
  /// The key by which a name is compared; make it once where names are compared often.
  struct Key: Comparable {
    private let parts: [Part]
    private let text: [UInt8]

    init(_ text: String) {
      parts = NaturalOrder.parts(text)
      self.text = Array(text.utf8)
    }

    static func < (lhs: Key, rhs: Key) -> Bool {
      for (x, y) in zip(lhs.parts, rhs.parts) where x != y {
        switch (x, y) {
        case (.number(let p), .number(let q)): return p.count != q.count ? p.count < q.count : p < q
        case (.number, .text): return true
        case (.text, .number): return false
        case (.text(let p), .text(let q)): return p < q
        }
      }
      if lhs.parts.count != rhs.parts.count { return lhs.parts.count < rhs.parts.count }
      return lhs.text.lexicographicallyPrecedes(rhs.text)
    }
  }

  private enum Part: Equatable {
    /// Digits without leading zeros, of any length.
    case number(String)
    case text(String)
  }

  private static func parts(_ text: String) -> [Part] {
    var parts: [Part] = []
    var rest = text.lowercased()[...]
    while let first = rest.first {
      let isNumber = first.isASCII && first.isNumber
      let run = rest.prefix { ($0.isASCII && $0.isNumber) == isNumber }
      rest = rest[run.endIndex...]
      parts.append(isNumber ? .number(String(run.drop { $0 == "0" })) : .text(String(run)))
    }
    return parts
  }
}
