#if SQLite
  import Foundation
  import LiveLists

  /// The code of "Writing a target"; `WritingATargetTests` runs it.
  enum WritingATarget {
    final class Terminal: ListTarget {
      var rows: [String] = []

      func reload(_ update: ListUpdate<String, Int, String>) async throws {
        rows = []
        let contents = try await update.provider.contents(for: update.snapshot.itemIdentifiers)
        rows = update.snapshot.items.map { contents[$0] ?? "" }
      }

      func perform(_ update: ListUpdate<String, Int, String>) async throws {
        for stage in update.stages() {
          for operation in stage.batch.sequentialRowOperations() {
            switch operation {
            case .remove(let row): rows.remove(at: row)
            case .insert(let row): rows.insert("", at: row)
            case .move(let from, let to): rows.insert(rows.remove(at: from), at: to)
            }
          }
        }
        let contents = try await update.provider.contents(for: update.itemsToProvide)
        for (item, content) in contents {
          if let path = update.snapshot.indexPath(ofItem: item) { rows[path.item] = content }
        }
      }
    }
  }

  @MainActor final class Grid {
    var items: [UUID] = []
  }

  extension Grid: @MainActor ListTarget {
    @MainActor func reload(_ update: ListUpdate<String, UUID, Photo>) async throws {
      items = Array(update.snapshot.items)
    }

    @MainActor func perform(_ update: ListUpdate<String, UUID, Photo>) async throws {
      items = Array(update.snapshot.items)  // a real one animates from the difference
    }
  }
#endif
