/// The numbers by which labels are handed out.
@usableFromInline
enum LabelSpace {
  /// Labels lie strictly between zero and this: forty bits, so that one word holds a section's number as well.
  @inlinable static var end: UInt64 { 1 << 40 }

  /// The distance between neighbours as long as they are few.
  @inlinable static var widest: UInt64 { 1 << 18 }

  /// The distance between neighbours where there is nothing else to go by. A quarter of the space is used at
  /// most, so that there is room to grow at both ends.
  @inlinable
  static func step(for count: Int) -> UInt64 {
    count < Int(end / 4 / widest) ? widest : max(1, end / 4 / UInt64(count + 1))
  }

  /// The first of `count` labels in the middle of the space.
  @inlinable
  static func first(for count: Int) -> UInt64 {
    end / 2 - step(for: count) * UInt64(count / 2)
  }
}

extension OrderTree {
  /// Finds labels for elements that are to be inserted at a position, making room first where there is none.
  @inlinable
  mutating func labels(
    for count: Int, at position: Int, assign: (Element, UInt64) -> Void
  ) -> (first: UInt64, step: UInt64) {
    if let free = freeLabels(for: count, at: position) { return free }
    makeRoom(for: count, at: position, assign: assign)
    guard let free = freeLabels(for: count, at: position) else {
      preconditionFailure("A section cannot hold as many items as this.")
    }
    return free
  }

  @inlinable
  func freeLabels(for count: Int, at position: Int) -> (first: UInt64, step: UInt64)? {
    let total = self.count
    let parts = UInt64(count) + 1
    if total == 0 { return (LabelSpace.first(for: count), LabelSpace.step(for: count)) }
    let usual = LabelSpace.step(for: total + count)
    if position == total {
      let last = root?.last ?? 0
      let room = LabelSpace.end - last
      // Lists grow at their ends most of the time, and a division is a large part of what that costs.
      let step = room >= usual &* parts ? usual : room / parts
      return step == 0 ? nil : (last + step, step)
    }
    let next = self[position].label
    if position == 0 {
      let step = min(usual, next / parts)
      return step == 0 ? nil : (next - step * UInt64(count), step)
    }
    let previous = self[position - 1].label
    let step = (next - previous) / parts
    return step == 0 ? nil : (previous + step, step)
  }

  /// Labels the neighbourhood of a position anew so that there is room for more elements there.
  ///
  /// The smallest subtree around the position is taken in which neighbours will be far enough apart, and the
  /// larger the subtree, the farther that is: so a larger one is taken only after many insertions, and an
  /// insertion costs O(log *n*) new labels on average, wherever insertions go.
  @inlinable @inline(never)
  mutating func makeRoom(for count: Int, at position: Int, assign: (Element, UInt64) -> Void) {
    guard var node = root else { return }
    let total = node.count
    let inside = min(position, total - 1)
    // From the leaf up: where each subtree around the position starts, and how many elements it has.
    var windows: [(start: Int, count: Int)] = [(0, total)]
    var start = 0
    while !node.isLeaf {
      var index = 0
      while inside - start >= node.counts[index] {
        start += node.counts[index]
        index += 1
      }
      node = node.children[index]
      windows.append((start, node.count))
    }
    windows.reverse()
    var needed: UInt64 = 16
    for (height, window) in windows.enumerated() {
      let end = window.start + window.count
      let size = UInt64(window.count + count)
      var low = window.start > 0 ? self[window.start - 1].label : 0
      let high = end < total ? self[end].label : LabelSpace.end
      var step = (high - low) / (size + 1)
      if height == windows.count - 1 {
        step = LabelSpace.step(for: Int(size))
        low = LabelSpace.first(for: Int(size))
      } else if step < needed {
        needed <<= 4
        continue
      }
      relabel(window.start..<end, height: height) { offset, element in
        let beyond = window.start + offset >= position ? UInt64(count) : 0
        let label = low + step * (UInt64(offset) + beyond + 1)
        assign(element, label)
        return label
      }
      return
    }
  }

  /// Gives new labels to the elements of the subtree of a height that has these positions.
  @inlinable
  mutating func relabel(_ range: Range<Int>, height: Int, _ label: (Int, Element) -> UInt64) {
    guard var top = root.take() else { return }
    var offset = 0
    Self.relabel(range, height: height, start: 0, offset: &offset, in: &top, label)
    root = top
  }

  @inlinable
  static func relabel(
    _ range: Range<Int>, height: Int, start: Int, offset: inout Int, in node: inout Node,
    _ label: (Int, Element) -> UInt64
  ) {
    TreeCounters.visit()
    if !isKnownUniquelyReferenced(&node) { node = Node(copying: node) }
    if node.isLeaf {
      for index in node.elements.indices {
        node.labels[index] = label(offset, node.elements[index])
        offset += 1
      }
      node.last = node.labels.last ?? 0
      return
    }
    var start = start
    for index in node.children.indices {
      let end = start + node.counts[index]
      // Below the subtree's own height every child is in; above it, only the one that has the range.
      if node.height <= height || (start <= range.lowerBound && range.upperBound <= end) {
        relabel(range, height: height, start: start, offset: &offset, in: &node.children[index], label)
        node.labels[index] = node.children[index].labels[0]
      }
      start = end
    }
    node.last = node.children.last?.last ?? 0
  }
}
