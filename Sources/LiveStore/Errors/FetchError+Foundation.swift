public import Foundation

extension FetchError: LocalizedError {
  /// The same as ``description``: what went wrong, and how to mend it.
  public var errorDescription: String? { description }
}

extension FetchDescriptorError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
