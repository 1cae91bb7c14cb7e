/// The rules that a batch of a list view has to keep, in the order in which they are checked.
///
/// They are those of the collection and table views of Apple's platforms, where breaking one raises an exception.
public enum ListRule: String, Sendable, Hashable, CaseIterable {
  /// A section is deleted, reloaded or moved that is not there before the batch, or inserted or moved to where there
  /// is none after it.
  case sectionOut
  /// One section is deleted, reloaded or moved twice, or two arrive at one index.
  case sectionDouble
  /// The number of sections after the batch is not the number before, less the deleted, plus the inserted ones.
  case sectionCount
  /// An item is deleted, reloaded or moved that is not there before the batch, or inserted or moved to where there is
  /// none after it.
  case itemOut
  /// One item is deleted, reloaded or moved twice, or two arrive at one index path.
  case itemDouble
  /// An item moves out of a section that is deleted or reloaded.
  case fromDeletedSection
  /// An item moves into a section that is inserted or reloaded.
  case intoInsertedSection
  /// The number of items in a section after the batch does not follow from the number before it.
  case itemCount
  /// An item of a section that moves is touched. Only a strict list refuses that.
  case movedSectionTouched
  /// The batch is legal, but what it leads to is not what the data source says it shows.
  case contents
  /// The data source broke its promise to the target: a change before the first reload, from another list than is
  /// shown, or of nothing.
  case duty
}

/// A batch broke a rule of list views. The view is as it was before the batch.
public struct ListRuleViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rule.
  public let rule: ListRule
  /// A description of the violation.
  public let message: String

  /// Creates a violation.
  public init(_ rule: ListRule, _ message: String) {
    self.rule = rule
    self.message = message
  }

  /// The rule's name and what broke it.
  public var description: String { "\(rule.rawValue): \(message)" }
}
