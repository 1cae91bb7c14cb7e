/// An element and a position: its own, or that of the element before which it is put in.
@usableFromInline
struct PositionedElement<Element> {
  /// The position. It comes first: ``UnmatchedPositions`` reads it without knowing the element.
  @usableFromInline var position: Int
  @usableFromInline var element: Element

  @inlinable
  init(element: Element, position: Int) {
    self.element = element
    self.position = position
  }
}
