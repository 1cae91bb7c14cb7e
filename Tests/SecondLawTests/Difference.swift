#if SQLite
  /// Something in which the library and the oracle differ.
  struct Difference: Hashable, Sendable, Error, CustomStringConvertible {
    enum Kind: String, Hashable, Sendable, CaseIterable {
      /// The list itself: sections, rows, order.
      case list
      /// The differences that were delivered do not lead from the old list to the new one.
      case replay
      /// A row that changed in the list was not told as updated or moved, or one was that did not.
      case updated
      /// Rows are told as moved that kept their order, or the other way round.
      case moved
      /// Rows that cannot be listed are not told, or rows that can are.
      case failures
      /// An object is not what the database has.
      case objects
      /// Nothing was delivered though something changed.
      case silence
      /// A schema or a list was refused that is none of those which may be.
      case refused
      /// The case did not come to its end.
      case hung
    }
    var kind: Kind
    /// The step after which it was seen; nil at the first fetch.
    var step: Int?
    var list: Int
    var text: String

    var description: String {
      "\(kind.rawValue), list \(list), \(step.map { "after step \($0)" } ?? "at the first fetch"): \(text)"
    }
  }

  /// The outcome of a case.
  struct Outcome: Sendable {
    var difference: Difference?
    /// Why the case is none: its schema cannot be made.
    var invalid: String?
    var refusal: String?
    var commits = 0
    var comparisons = 0
    var objects = 0
    var deliveries = 0
    /// The features that were there: of the schema, and statements that ran.
    var features: Set<Feature> = []
  }
#endif
