package import LiveDrafts

/// A draft under test, over a store that passes the suite by itself.
package protocol DraftConformanceSubject: ConformanceSubject {
  var draft: FetchDraft { get }
  /// The subject of the draft's store.
  var below: any ConformanceSubject { get }
}

extension DraftConformanceSubject {
  package var store: any FetchStore { draft }
  package var mergesCommits: Bool { below.mergesCommits }
  package func close() async throws { try await below.close() }
}

/// A draft under test with nothing pending: the suite writes to the store below it.
package struct DraftSubject: DraftConformanceSubject {
  package let draft: FetchDraft
  package let below: any ConformanceSubject

  /// Makes a draft.
  /// - Parameters:
  ///   - store: The store of the draft.
  ///   - below: Writes to that store.
  package init(of store: any DraftSaving, _ below: any ConformanceSubject) {
    (draft, self.below) = (FetchDraft(of: store), below)
  }

  package func write(_ writes: [ConformanceWrite], origin: String?) async throws {
    try await below.write(writes, origin: origin)
  }
  package func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
    try await below.writeAndRollBack(writes)
  }
  package func write(_ samples: [ConformanceSample]) async throws { try await below.write(samples) }
}

/// A draft that is written through: each write is an edit that is saved.
package struct WrittenThroughSubject: DraftConformanceSubject {
  package let draft: FetchDraft
  package let below: any ConformanceSubject

  /// Makes a draft.
  /// - Parameters:
  ///   - store: The store of the draft.
  ///   - below: Closes that store.
  package init(of store: any DraftSaving, _ below: any ConformanceSubject) {
    (draft, self.below) = (FetchDraft(of: store), below)
  }

  package func write(_ writes: [ConformanceWrite], origin: String?) async throws {
    try await draft.write(origin: origin) { edit in try edit.perform(writes) }
  }
  package func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
    struct RolledBack: Error {}
    do {
      try await draft.write { edit in
        try edit.perform(writes)
        throw RolledBack()
      }
    } catch is RolledBack {}
  }
  package func write(_ samples: [ConformanceSample]) async throws {
    try await draft.write { edit in try edit.perform(samples) }
  }
}

extension FetchStoreConformance {
  /// Tries all promises but one of a draft that is written through: with rows pending, a read may have seen more than its position
  /// says.
  package func isWrittenThrough(_ makeSubject: () async throws -> WrittenThroughSubject) async throws {
    try await listsFollow(makeSubject())
    try await sectionsAreOfValues(makeSubject())
    try await eventsComeInOrder(makeSubject())
    try await rollbacksAreSilent(makeSubject())
    try await runsAreRead(makeSubject())
    try await objectsFollow(makeSubject())
    try await closingEnds(makeSubject())
  }
}

extension DraftEdit {
  /// Makes writes as edits: a row that is there is updated, another one inserted.
  package func perform(_ writes: [ConformanceWrite]) throws {
    for write in writes {
      switch write {
      case .put(let item): try put(item)
      case .remove(let id): try delete(ConformanceItem.self, id: id)
      }
    }
  }

  /// Writes rows as edits: one that is there is updated, another one inserted.
  package func perform(_ samples: [ConformanceSample]) throws { for sample in samples { try put(sample) } }

  private func put<Model: DraftModel>(_ model: Model) throws {
    if try find(Model.self, id: model.id) == nil {
      try insert(model)
    } else {
      try update(model) { $0 = model }
    }
  }
}
