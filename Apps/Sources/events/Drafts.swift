import LiveLists
import Synchronization

/// The drafts of the pages that are open, by the names that the pages give them.
final class Drafts: Sendable {
  private let store: any DraftSaving
  private let known = Mutex<[String: FetchDraft]>([:])

  init(of store: any DraftSaving) { self.store = store }

  subscript(name: String) -> FetchDraft {
    known.withLock { known in
      if let draft = known[name] { return draft }
      if known.count >= 100 { Self.removeUnused(&known) }
      let draft = FetchDraft(of: store)
      known[name] = draft
      return draft
    }
  }

  /// Removes drafts that no page shows and in which nothing is pending: pages do not say that they go.
  private static func removeUnused(_ known: inout [String: FetchDraft]) {
    for name in Array(known.keys) {
      guard var draft = known.removeValue(forKey: name) else { continue }
      if draft.hasChanges || !isKnownUniquelyReferenced(&draft) { known[name] = draft }
    }
  }
}
