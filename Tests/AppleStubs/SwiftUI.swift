// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stubs of those parts of SwiftUI that ListSourcesApple uses: names and types, nothing that runs. They let the adapters
// be type-checked where there is no SwiftUI, by scripts/check-apple, and say nothing about how the real views behave.
@_exported public import Foundation

@MainActor public protocol DynamicProperty {}

@MainActor @propertyWrapper public struct State<Value>: DynamicProperty {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}
