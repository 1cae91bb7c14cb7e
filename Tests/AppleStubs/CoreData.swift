// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stubs of those parts of Core Data that Examples/Apple and Examples/BatchUpdates use: names and types, nothing that runs. See UIKit.swift.
@_exported public import Foundation

open class NSManagedObject: NSObject {
  public func value(forKey key: String) -> Any? { nil }
}

public protocol NSFetchRequestResult: NSObjectProtocol {}
extension NSManagedObject: NSFetchRequestResult {}

open class NSFetchRequest<ResultType>: NSObject {
  public init(entityName: String) {}
}

open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { [] }
  public func perform<T>(_ block: @escaping () throws -> T) async rethrows -> T { try block() }
}

public enum NSFetchedResultsChangeType: UInt, Sendable { case insert = 1, delete, move, update }

public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange object: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
}

open class NSFetchedResultsController<ResultType>: NSObject {
  public weak var delegate: (any NSFetchedResultsControllerDelegate)?
  public var fetchedObjects: [ResultType]? { nil }
  public func performFetch() throws {}
  public func object(at indexPath: IndexPath) -> ResultType { preconditionFailure("A stub does not run.") }
}
