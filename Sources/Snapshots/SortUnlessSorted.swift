/// Sorts elements by their index paths; where they are in order already, one comparison for each is all it costs.
@inlinable
func sortUnlessSorted<Element>(_ array: inout [Element], by path: (Element) -> ListIndexPath) {
  for index in array.indices.dropFirst() where path(array[index]) < path(array[index - 1]) {
    var paths: [ListIndexPath] = []
    paths.reserveCapacity(array.count)
    for element in array { paths.append(path(element)) }
    sortUnlessSorted(&array, at: paths)
    return
  }
}

/// Sorts elements by their index paths. It is compiled once, and not for each kind of identifier: most arrays are in order.
@usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
func sortUnlessSorted<Element>(_ array: inout [Element], at paths: [ListIndexPath]) {
  for index in paths.indices.dropFirst() where paths[index] < paths[index - 1] {
    let order = paths.indices.sorted { paths[$0] < paths[$1] }
    array = order.map { [array] in array[$0] }
    return
  }
}
