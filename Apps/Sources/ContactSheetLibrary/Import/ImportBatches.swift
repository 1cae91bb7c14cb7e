package import Foundation
import Synchronization

/// The batches of uploads that are under way: files that were picked together come in by requests of their own.
package final class ImportBatches: Sendable {
  private let batches = Mutex<[(id: UUID, batch: ImportBatch)]>([])
  private let limit: Int

  /// - Parameter limit: How many batches are remembered; the one not used for longest is forgotten.
  package init(limit: Int = 32) { self.limit = limit }

  package func batch(_ id: UUID) -> ImportBatch {
    batches.withLock { batches in
      let found = batches.firstIndex { $0.id == id }.map { batches.remove(at: $0) }
      let entry = found ?? (id, ImportBatch())
      batches.append(entry)
      if batches.count > limit { batches.removeFirst() }
      return entry.batch
    }
  }
}
