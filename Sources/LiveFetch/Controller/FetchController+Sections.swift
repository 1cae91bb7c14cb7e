public import LiveStore
import Snapshots

/// An entry of the index beside a long list: a title, and the first section that has it.
public struct SectionIndexEntry: Sendable, Hashable {
  /// The title, such as a letter.
  public var title: String
  /// The position of the first of its sections.
  public var section: Int
}

extension FetchController {
  /// The texts of the sections' identifiers, in order.
  public var sectionNames: [String] { snapshot?.sectionIdentifiers.map(\.text) ?? [] }

  /// The index of the list: the sections' titles, neighbours with equal ones taken together.
  /// - Parameter title: Makes a title of a section's identifier; nil leaves the section out. By default the first
  ///   character of its text in upper case.
  /// - Complexity: O(number of sections).
  public func sectionIndex(
    _ title: (FetchSectionID) -> String? = { $0.text.first.map { String($0).uppercased() } }
  ) -> [SectionIndexEntry] {
    var entries: [SectionIndexEntry] = []
    for (section, id) in (snapshot?.sectionIdentifiers ?? []).enumerated() {
      guard let title = title(id), entries.last?.title != title else { continue }
      entries.append(SectionIndexEntry(title: title, section: section))
    }
    return entries
  }
}

/// A delegate that receives a list's changes by calls rather than by a sequence.
public protocol FetchControllerDelegate<ID>: AnyObject, Sendable {
  /// The identifiers of the list's rows.
  associatedtype ID: FetchIdentifier

  /// The list has changed. The next call comes when this one has returned; what happens meanwhile comes in one.
  func listDidChange(_ change: FetchChange<ID>) async
}

extension FetchController {
  /// Tells a delegate of the list, as it is and as it changes, until another is set or the controller goes away.
  ///
  /// Neither keeps the other alive.
  /// - Parameter delegate: The delegate; nil for none.
  public func setDelegate<Delegate: FetchControllerDelegate<Model.ID>>(_ delegate: Delegate?) {
    guard let delegate else { return delegation.replace(with: nil) }
    let changes = changes(owner: broadcaster)
    let iterator = changes.makeAsyncIterator
    delegation.replace(
      with: Task { [weak delegate] in
        let iterator = iterator()
        while let change = try? await iterator.next() {
          guard let delegate else { return }
          await delegate.listDidChange(change)
        }
      })
  }
}
