public import Foundation
public import ListStream
public import LiveFetch

extension FetchController where Model.ID == UUID {
  /// Returns a stream of the list for remote readers, whose rows are named by UUIDs in lower case.
  /// - Parameters:
  ///   - options: How the stream behaves.
  ///   - failureHandler: Takes the failures of the list.
  ///   - content: Returns the content that readers get for a row.
  public func stream<Content: Encodable & Sendable>(
    options: ListStreamOptions = ListStreamOptions(),
    onFailure failureHandler: (@Sendable (FetchError) -> Void)? = nil,
    content: @escaping @Sendable (Model) -> Content
  ) -> FetchStream<Model, Content> {
    FetchStream(
      self, options: options, itemName: { $0.uuidString.lowercased() }, failureHandler: failureHandler,
      content: content)
  }

  /// Returns a stream of the list for remote readers, who get the whole of each row.
  public func stream() -> FetchStream<Model, Model> where Model: Encodable { stream { $0 } }
}

extension FetchController where Model.ID: LosslessStringConvertible {
  /// Returns a stream of the list for remote readers, whose rows are named by the descriptions of their keys, such as numbers.
  /// - Parameters:
  ///   - options: How the stream behaves.
  ///   - failureHandler: Takes the failures of the list.
  ///   - content: Returns the content that readers get for a row.
  public func stream<Content: Encodable & Sendable>(
    options: ListStreamOptions = ListStreamOptions(),
    onFailure failureHandler: (@Sendable (FetchError) -> Void)? = nil,
    content: @escaping @Sendable (Model) -> Content
  ) -> FetchStream<Model, Content> {
    FetchStream(
      self, options: options, itemName: { String($0) }, failureHandler: failureHandler, content: content)
  }

  /// Returns a stream of the list for remote readers, who get the whole of each row.
  public func stream() -> FetchStream<Model, Model> where Model: Encodable { stream { $0 } }
}
