public import ListSources
internal import Snapshots

/// A view that performs many operations at once, as collection views and `UITableView` do.
@MainActor
public protocol BatchView: ListView {
  /// Performs the updates of a closure as one batch.
  ///
  /// The view counts its sections and items before the closure and after it, and calls the completion when all is shown.
  func performBatch(
    isAnimated: Bool, _ updates: @escaping () -> Void, completion: @escaping () -> Void)
}

/// A target for views that take batches: each stage of a change is one batch.
///
/// Subclass it to adapt a view: override ``perform(_:in:)``, and be the view's data source.
@MainActor
open class BatchViewTarget<
  View: BatchView, SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
>: ListViewTarget<View, SectionID, ItemID, Content> {
  /// Asks the view for each operation of a batch. It is called within a batch update.
  open func perform(_ batch: ListBatch, in view: View) {}

  override func change(_ view: View, _ update: ListUpdate<SectionID, ItemID, Content>) async {
    for stage in update.stages(.whenSectionsMoveAndChange) {
      // A view that leaves its window between two stages counts in its own time again.
      guard view.isOnScreen else { return reload(update.snapshot, in: view) }
      await withCheckedContinuation { continuation in
        let completion = BatchCompletion(continuation)
        view.performBatch(isAnimated: update.isAnimated) {
          self.take(stage.after)
          self.perform(stage.batch, in: view)
        } completion: {
          completion.finish()
        }
      }
    }
  }
}

/// Resumes the task that waits for a batch, exactly once: when the view calls the completion handler, or when it releases
/// the handler without a call, as a view may that is removed during the batch.
@MainActor
final class BatchCompletion {
  private var continuation: CheckedContinuation<Void, Never>?

  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = continuation
  }

  func finish() {
    continuation?.resume()
    continuation = nil
  }

  deinit { continuation?.resume() }
}
