/// A view of a list, or what stands for one: a collection view, a stream to a browser, a test double.
///
/// ## What the data source promises
///
/// * It calls one method at a time and waits until it returns.
/// * The first call is ``reload(_:)``. After a call that threw, the next one is ``reload(_:)`` again.
/// * In ``perform(_:)`` and ``adopt(_:)``, ``ListUpdate/before`` is the snapshot of the last call that returned.
/// * The stages of an update are legal batches, each starting from what the one before it left.
/// * It never asks for nothing: the difference of ``perform(_:)`` is not empty.
/// * All calls come in the isolation of the code that applies. A target bound to an actor is written with an isolated
///   conformance (`extension Grid: @MainActor ListTarget`), and the compiler refuses a data source elsewhere.
///
/// ## What the target promises
///
/// * When a call returns, the target shows ``ListUpdate/snapshot``, or will without being asked again.
/// * It performs each stage once, in order, and answers for ``ListStage/after`` from within the batch on.
/// * It takes contents from ``ListUpdate/provider``, and asks only for items that arrive, are reloaded, reconfigured, or
///   come into view; never for an item because it moved.
/// * It throws when it can't show the update, and does not repair things by itself. The data source then reloads it.
///   ``ListTargetError/gone`` says that there is no view any more; the data source stops calling it.
/// * It does not await a detached task that applies to its own data source, which could only be performed when the
///   call returns. An `apply` from the target itself, or from a task that inherits its task-local values, is queued.
public protocol ListTarget<SectionID, ItemID, Content> {
  /// The type of section identifiers.
  associatedtype SectionID: Hashable & Sendable
  /// The type of item identifiers.
  associatedtype ItemID: Hashable & Sendable
  /// The type of the content that the view shows of an item.
  associatedtype Content

  /// Shows the whole of a snapshot, forgetting what was shown before.
  ///
  /// - Throws: When the snapshot can't be shown.
  nonisolated(nonsending) func reload(_ update: ListUpdate<SectionID, ItemID, Content>) async throws

  /// Shows a change.
  ///
  /// - Throws: When the change can't be shown; a reload follows.
  nonisolated(nonsending) func perform(_ update: ListUpdate<SectionID, ItemID, Content>) async throws

  /// Takes over a change that the view shows already, because the user dragged items to where they are now.
  ///
  /// By default this performs the change.
  ///
  /// - Throws: When the change can't be taken over; a reload follows.
  nonisolated(nonsending) func adopt(_ update: ListUpdate<SectionID, ItemID, Content>) async throws

  /// Acknowledges mutations that changed nothing of this list.
  ///
  /// By default this does nothing.
  nonisolated(nonsending) func acknowledge(_ origins: [String]) async
}

extension ListTarget {
  /// Performs the change.
  public nonisolated(nonsending) func adopt(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    try await perform(update)
  }

  /// Does nothing.
  public nonisolated(nonsending) func acknowledge(_ origins: [String]) async {}
}

/// An error of a target itself rather than of a batch.
public struct ListTargetError: Error, Hashable, Sendable, CustomStringConvertible {
  private enum Kind: Hashable, Sendable {
    case gone
  }

  private let kind: Kind

  /// The view is no more. The data source keeps its state and stops calling the target.
  public static let gone = ListTargetError(kind: .gone)

  /// A description of the error, and of how to mend it.
  public var description: String { "The view is no more. Release its data source." }
}
