extension DiffableSnapshot: ExpressibleByDictionaryLiteral {
  /// Creates a snapshot from sections and their items, in order:
  ///
  /// ```swift
  /// let snapshot: DiffableSnapshot<String, Int> = ["A": [1, 2, 3], "B": [4, 5], "C": []]
  /// ```
  ///
  /// A literal is written by the programmer, so an identifier that occurs twice in it is a programming error
  /// and stops the program. Use ``init(sections:)`` for what comes from elsewhere.
  public init(dictionaryLiteral elements: (SectionID, [ItemID])...) {
    do { try self.init(sections: elements) } catch { preconditionFailure(error.description) }
  }
}
