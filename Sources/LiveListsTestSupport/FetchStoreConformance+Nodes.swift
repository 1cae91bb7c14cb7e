import LiveFetch
import Snapshots
import Synchronization
import _TestTools

extension FetchStoreConformance {
  /// Tries the promises that several nodes on one database keep together, each with a database of its own.
  func runNodes(_ makeNode: () async throws -> (any ConformanceNode)?) async throws {
    if let node = try await makeNode() { try await twoNodes(node) }
    if let node = try await makeNode() { try await longTransactions(node) }
    if let node = try await makeNode() { try await epochChanges(node) }
    if let node = try await makeNode() { try await pruned(node) }
  }

  /// Whatever is written on one node is in the lists of both as soon as they have caught up, in turn and at once; each origin comes
  /// to both once, and what was rolled back to neither.
  public func twoNodes(_ node: some ConformanceNode) async throws {
    var random = SplitMix(seed: seed &* 17 &+ 1)
    // The nodes' own rows, so that both can write at once, and some that are there before the second node is.
    var writers = [
      ConformanceHistory(seed: seed, ids: 0..<15), ConformanceHistory(seed: seed + 1, ids: 15..<30),
    ]
    try await node.write(writers[0].next(), origin: nil)
    try await withSecondNode(beside: node) { other in
      let nodes = [node, other]
      var lists = [try await NodeLists(of: node), try await NodeLists(of: other)]
      let origins = [try await OriginRecorder(node.store), try await OriginRecorder(other.store)]
      var written: Set<String> = []
      for step in 0..<steps {
        let isAtOnce = Int.random(in: 0..<4, using: &random) == 0
        var commits: [(writer: Int, writes: [ConformanceWrite], origin: String)] = []
        for writer in isAtOnce ? [0, 1] : [Int.random(in: 0...1, using: &random)] {
          let before = writers[writer].rows
          let origin = "step \(step) of \(writer)"
          commits.append((writer, writers[writer].next(), origin))
          // A commit that changes no row is of no concern to anybody.
          if writers[writer].rows != before { written.insert(origin) }
        }
        let isRolledBack = Int.random(in: 0..<6, using: &random) == 0
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (writer, writes, origin) in commits {
            group.addTask {
              if isRolledBack {
                try await nodes[writer].writeAndRollBack([
                  .put(ConformanceItem(id: 15 * writer, section: "a", key: -9)), .remove(15 * writer + 1),
                ])
              }
              try await nodes[writer].write(writes, origin: origin)
            }
          }
          try await group.waitForAll()
        }
        // Several commits may come to the other node as one.
        if Int.random(in: 0..<3, using: &random) == 0 { continue }
        try await catchUp(nodes)
        let rows = writers[0].rows.merging(writers[1].rows) { a, _ in a }
        for index in nodes.indices {
          try await lists[index].check(rows, self, "on node \(index) after step \(step), \(commits)")
        }
      }
      try await catchUp(nodes)
      for (index, recorder) in origins.enumerated() {
        let received = recorder.end()
        guard let received else { continue }
        let missed = written.subtracting(received).sorted()
        try check(missed.isEmpty, "Node \(index) was not notified of \(missed).")
        try check(
          written.allSatisfy { origin in received.count { $0 == origin } == 1 },
          "Node \(index) was notified of a commit more than once: \(received.sorted()).")
      }
    }
  }

  /// A transaction that stays open is seen by no list before its end, and by all lists afterwards, however many commits were made and
  /// pruned meanwhile; one that is rolled back is never seen.
  public func longTransactions(_ node: some ConformanceNode) async throws {
    var random = SplitMix(seed: seed &* 17 &+ 2)
    // Three transactions, and the nodes.
    var writers = (0..<4).map { ConformanceHistory(seed: seed + UInt64($0), ids: $0 * 10..<$0 * 10 + 10) }
    var committed = writers.map(\.rows)
    var open: [(any ConformanceTransaction)?] = [nil, nil, nil]
    try await withSecondNode(beside: node) { other in
      let nodes = [node, other]
      var lists = [try await NodeLists(of: node), try await NodeLists(of: other)]
      var story: [String] = []
      func check(_ context: String) async throws {
        try await catchUp(nodes)
        let rows = committed.reduce(into: [:]) { $0.merge($1) { a, _ in a } }
        for index in nodes.indices {
          try await lists[index].check(
            rows, self, "on node \(index) \(context), after \(story.suffix(8).joined(separator: "; "))")
        }
      }
      for step in 0..<steps {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2:
          let number = Int.random(in: 0..<3, using: &random)
          if open[number] == nil {
            guard let begun = try await node.beginTransaction() else { return }
            open[number] = begun
          }
          let writes = writers[number].next()
          try await open[number]?.write(writes)
          story.append("\(number) wrote \(writes)")
        case 3:
          guard let number = open.indices.filter({ open[$0] != nil }).randomElement(using: &random) else {
            continue
          }
          if Int.random(in: 0..<3, using: &random) == 0 {
            try await open[number]?.rollBack()
            writers[number].rows = committed[number]
          } else {
            try await open[number]?.commit()
            committed[number] = writers[number].rows
          }
          open[number] = nil
          story.append("\(number) ended")
        case 4: story.append("pruned: \(try await node.prune())")
        case 5: try await check("at step \(step)")
        default:
          let writer = nodes[Int.random(in: 0...1, using: &random)]
          try await writer.write(writers[3].next(), origin: nil)
          committed[3] = writers[3].rows
          story.append("a node wrote")
        }
      }
      try await check("with \(open.count { $0 != nil }) transactions open")
      for number in open.indices.reversed() {
        try await open[number]?.commit()
        committed[number] = writers[number].rows
        try await check("at the end of transaction \(number)")
      }
    }
  }

  /// When commits were lost, or rows are others than the history says, all lists of all nodes are read anew, and go on from there.
  public func epochChanges(_ node: some ConformanceNode) async throws {
    var random = SplitMix(seed: seed &* 17 &+ 3)
    var history = ConformanceHistory(seed: seed)
    try await withSecondNode(beside: node) { other in
      let nodes = [node, other]
      var lists = [try await NodeLists(of: node), try await NodeLists(of: other)]
      func check(_ context: String) async throws {
        try await catchUp(nodes)
        for index in nodes.indices {
          try await lists[index].check(history.rows, self, "on node \(index) \(context)")
        }
      }
      for epoch in 0..<max(3, steps / 8) {
        for step in 0..<Int.random(in: 1...4, using: &random) {
          try await nodes[Int.random(in: 0...1, using: &random)].write(history.next(), origin: nil)
          if Bool.random(using: &random) { try await check("after step \(step) of epoch \(epoch)") }
        }
        guard try await node.changeEpoch(history.next()) else { return }
        // Whoever writes first need not know of it.
        if Bool.random(using: &random) {
          try await nodes[Int.random(in: 0...1, using: &random)].write(history.next(), origin: nil)
        }
        try await check("after the end of epoch \(epoch)")
      }
      // A list that is made now sees what the others do.
      lists = [try await NodeLists(of: node), try await NodeLists(of: other)]
      try await check("in lists made at the end")
    }
  }

  /// A node that was not notified of commits before the history was pruned reads its lists anew, and goes on from there.
  public func pruned(_ node: some ConformanceNode) async throws {
    var random = SplitMix(seed: seed &* 17 &+ 4)
    var history = ConformanceHistory(seed: seed)
    try await withSecondNode(beside: node) { other in
      var lists = [try await NodeLists(of: node), try await NodeLists(of: other)]
      for step in 0..<max(6, steps / 3) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          try await node.write(history.next(), origin: nil)
        }
        if Int.random(in: 0..<3, using: &random) > 0 {
          guard try await node.prune() else { return }
        }
        if Bool.random(using: &random) { try await node.write(history.next(), origin: nil) }
        await node.store.waitUntilCurrent()
        try await lists[0].check(history.rows, self, "on the node that wrote, after step \(step)")
        if Bool.random(using: &random) { continue }
        try await other.catchUp(to: node)
        try await lists[1].check(history.rows, self, "on the node that had not looked, after step \(step)")
      }
    }
  }

  /// Opens another node, and closes it in the end.
  private func withSecondNode<Node: ConformanceNode>(
    beside node: Node, _ body: (Node) async throws -> Void
  ) async throws {
    let other = try await node.makeNode()
    do { try await body(other) } catch {
      try? await other.close()
      throw error
    }
    try await other.close()
  }

  private func catchUp<Node: ConformanceNode>(_ nodes: [Node]) async throws {
    // What neither of them has written.
    await nodes[0].store.waitUntilCurrent()
    try await nodes[1].catchUp(to: nodes[0])
    try await nodes[0].catchUp(to: nodes[1])
  }
}

/// The lists of a node, and what a listener of each has made of their differences.
private struct NodeLists {
  private struct Followed {
    var list: FetchStoreConformance.List
    var controller: FetchController<ConformanceItem>
    var listener: FetchChanges<Int>.Iterator
    var replayed: DiffableSnapshot<FetchSectionID, Int>
  }
  private var followed: [Followed] = []

  init(of node: any ConformanceSubject) async throws {
    for list in FetchStoreConformance.lists {
      let controller = FetchController(list.request, in: node.store)
      let first = try await controller.performFetch()
      let listener = controller.changes.makeAsyncIterator()
      _ = try await listener.next()
      followed.append(Followed(list: list, controller: controller, listener: listener, replayed: first))
    }
  }

  /// Compares lists, differences and objects with rows.
  mutating func check(
    _ rows: [Int: ConformanceItem], _ suite: FetchStoreConformance, _ context: @autoclosure () -> String
  ) async throws {
    for index in followed.indices {
      let (list, controller) = (followed[index].list, followed[index].controller)
      await controller.waitUntilCurrent()
      let expected = try list.expected(rows)
      try suite.check(
        controller.snapshot == expected,
        "The list “\(list.name)” \(context()) is \(String(describing: controller.snapshot)), not \(expected)."
      )
      while followed[index].replayed != expected {
        guard let change = try await followed[index].listener.next() else {
          throw ConformanceFailure(
            description: "Seed \(suite.seed): the stream of “\(list.name)” \(context()) has ended.")
        }
        followed[index].replayed = try followed[index].replayed.applying(change.difference)
        try suite.check(
          followed[index].replayed == change.snapshot,
          "The differences of “\(list.name)” \(context()) lead to \(followed[index].replayed), not to \(change.snapshot)."
        )
      }
    }
    let objects = try await followed[0].controller.objects(for: Array(rows.keys))
    try suite.check(objects == rows, "The objects \(context()) are \(objects), and the rows \(rows).")
  }
}

/// The origins of which a store notifies an observer of all rows.
private final class OriginRecorder: Sendable {
  private struct State {
    var origins: [String] = []
    /// Whether there was a reset that knows of no commits.
    var isBroken = false
  }
  private let state = SendableBox(Mutex(State()))
  private let observation: FetchObservation

  init(_ store: any FetchStore) async throws {
    let plan = try FetchStoreConformance.lists[0].request.plan()
    observation = store.observe(plan) { [state] event in
      state.value.withLock { state in
        switch event {
        case .changes(let changes): state.origins += changes.origins
        case .reset(let reset):
          state.origins += reset.origins
          if reset.reason == .unresumable { state.isBroken = true }
        case .interrupted, .resumed, .closed: break
        }
      }
    }
    _ = try await store.read(plan) { _ in 0 }
  }

  /// Ends the observation.
  /// - Returns: The origins; nil where the store had to begin anew.
  func end() -> [String]? {
    observation.cancel()
    return state.value.withLock { $0.isBroken ? nil : $0.origins }
  }
}
