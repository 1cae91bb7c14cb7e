// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stubs of those parts of SwiftUI that ListSourcesApple and Examples/Apple use: names and types, nothing that runs. They let the adapters
// be type-checked where there is no SwiftUI, by scripts/check-apple, and say nothing about how the real views behave.
@_exported public import Foundation

@MainActor public protocol DynamicProperty {}

@MainActor @propertyWrapper public struct State<Value>: DynamicProperty {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}

@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
extension View {
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
}

@MainActor @resultBuilder public struct ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

public struct Text: View {
  public init(_ text: String) {}
  public var body: Never { fatalError() }
}
public struct NavigationStack<Content: View>: View {
  public init(@ViewBuilder _ content: () -> Content) {}
  public var body: Never { fatalError() }
}
public struct NavigationLink<Destination: View>: View {
  public init(_ title: String, @ViewBuilder destination: () -> Destination) {}
  public var body: Never { fatalError() }
}
public struct List<Content: View>: View {
  public init(@ViewBuilder _ content: () -> Content) {}
  public var body: Never { fatalError() }
}
extension List {
  public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, ID, Row> {}
}
public struct Section<Content: View>: View {
  public init(_ title: String, @ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
  public var body: Never { fatalError() }
}
