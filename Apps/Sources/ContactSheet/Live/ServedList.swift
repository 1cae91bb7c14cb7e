import ContactSheetLibrary
import Foundation
import LiveLists
import Logging

/// A list that any number of browsers follow.
protocol LiveListing: Sendable {
  /// Gives a reader what it missed and then what comes, until the task is cancelled or the list ends.
  ///
  /// - Parameter window: The rows that it wants of a long list, if it can ask for the others.
  func send(
    since version: String?, window: ListStreamWindow?, _ write: @Sendable ([UInt8]) async -> Void
  ) async
  /// Rows of the list, as the JSON of an answer; `nil` if the list has ended before it was read.
  func range(_ window: ListStreamWindow, withContents: Bool) async throws -> [UInt8]?
  /// Delivers a mutation that was performed to readers, behind all that was changed before it.
  func acknowledge(_ mutationID: String) async
  /// The items that the list had at a version; `nil` where it is of another list, or too old.
  func items(at version: ListStreamVersion) -> DiffableSnapshot<FetchSectionID, UUID>?
  /// Ends the list for all readers.
  func finish()
}

/// The rows of a request, live, as a stream for all readers alike.
struct ServedList<Model: FetchModel, Content: Encodable & Sendable>: LiveListing where Model.ID == UUID {
  private let stream: FetchStream<Model, Content>

  /// Reads the list and follows it from then on.
  ///
  /// - Parameter recentMutationIDs: Mutations that the list has already, and readers may wait for; its first snapshot names them.
  init(
    _ request: FetchDescriptor<Model>, in store: SQLiteStore, recentMutationIDs: [UUID], logger: Logger,
    content: @escaping @Sendable (Model) -> Content
  ) async throws {
    stream = FetchController(request, in: store).stream(
      options: ListStreamOptions(recentMutationIDs: recentMutationIDs.map(\.wireText)),
      onFailure: { logger.error("A list cannot be brought up to date", metadata: ["error": "\($0)"]) },
      content: content)
    try await stream.controller.performFetch()
    stream.start()
  }

  func acknowledge(_ mutationID: String) async { await stream.controller.acknowledge(mutationID) }

  func items(at version: ListStreamVersion) -> DiffableSnapshot<FetchSectionID, UUID>? {
    stream.target.snapshot(at: version)
  }

  func send(
    since version: String?, window: ListStreamWindow?, _ write: @Sendable ([UInt8]) async -> Void
  ) async {
    for await event in stream.events(since: version, window: window) { await write(event) }
  }

  func range(_ window: ListStreamWindow, withContents: Bool) async throws -> [UInt8]? {
    try await stream.rows(window, withContents: withContents).map { Array($0.json) }
  }

  func finish() { stream.finish() }
}
