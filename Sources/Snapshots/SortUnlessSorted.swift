/// Sorts by place, at no more cost than a look where the order is right already.
@inlinable
func sortUnlessSorted<Element>(_ array: inout [Element], by place: (Element) -> ListIndexPath) {
  for index in array.indices.dropFirst() where place(array[index]) < place(array[index - 1]) {
    var places: [ListIndexPath] = []
    places.reserveCapacity(array.count)
    for element in array { places.append(place(element)) }
    sortUnlessSorted(&array, at: places)
    return
  }
}

/// Sorts elements by their places. It is compiled once, and not for each kind of identifier: most arrays are in order.
@usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
func sortUnlessSorted<Element>(_ array: inout [Element], at places: [ListIndexPath]) {
  for index in places.indices.dropFirst() where places[index] < places[index - 1] {
    let order = places.indices.sorted { places[$0] < places[$1] }
    array = order.map { [array] in array[$0] }
    return
  }
}
