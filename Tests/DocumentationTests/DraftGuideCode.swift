#if SQLite
  import LiveLists

  // The code of the articles about drafts, compiled and run. Each of its blocks stands here line by line; DraftGuideTests looks.
  enum DraftGuide {
    struct Photo: Codable, Identifiable, Sendable, LiveRecord, DraftModel {
      var id: UUID
      var title: String
    }

    static func overview(_ store: SQLiteStore, _ photo: Photo, _ old: UUID) async throws -> FetchController<
      Photo
    > {
      let request = FetchDescriptor<Photo>().ordered(by: .ascending(\.title))

      let draft = FetchDraft(of: store)
      let photos = FetchController(request, in: draft)
      try await photos.performFetch()

      try draft.edit("Rename") { edit in
        try edit.update(photo) { $0.title = "Fjord" }
        try edit.insert(Photo(id: UUID(), title: "Sea"))
        try edit.delete(Photo.self, id: old)
      }
      try await draft.save()
      return photos
    }

    static func read(_ photos: FetchController<Photo>) throws -> ([UUID], [Photo]) {
      let ids = photos.snapshot?.itemIdentifiers ?? []
      let firstHundred = try photos.objects(in: 0..<100)
      return (ids, firstHundred)
    }

    @MainActor
    final class PhotoEditor {
      let draft: FetchDraft
      let photos: FetchController<Photo>

      init(of store: SQLiteStore) {
        draft = FetchDraft(of: store)
        photos = FetchController(FetchDescriptor<Photo>().ordered(by: .ascending(\.title)), in: draft)
      }

      func rename(_ photo: Photo, to title: String) throws {
        try draft.edit("Rename") { edit in
          try edit.update(photo) { $0.title = title }
        }
      }

      func save() async throws { try await draft.save() }
      func cancel() { draft.discard() }
    }

    static func describe(_ conflict: DraftConflict) throws -> [String] {
      // Rows of other tables are described by their own models.
      try conflict.rows.filter { $0.table == Photo.fetchTable.name }.map { row in
        let mine = try row.mine(as: Photo.self)?.title ?? "deleted"
        let theirs = try row.theirs(as: Photo.self)?.title ?? "deleted"
        return "\(mine) or \(theirs)?"
      }
    }

    @MainActor
    struct Saving {
      func save(_ draft: FetchDraft, keepMine: ([DraftConflict.Row]) async -> Bool) async throws {
        do {
          try await draft.save()
        } catch let conflict as DraftConflict {
          if await keepMine(conflict.rows) { return try await draft.save(policy: .mine) }
          // As `NSRollbackMergePolicy` does; likewise for each other model.
          draft.discard(Photo.self, conflict.ids(of: Photo.self))
          try await draft.save()
        }
      }

      func delete(_ id: UUID, in draft: FetchDraft) async throws {
        // The list shows it at once. Where the save fails it is taken back, and the error is thrown.
        try await draft.write("Delete") { edit in try edit.delete(Photo.self, id: id) }
      }
    }
  }
#endif
