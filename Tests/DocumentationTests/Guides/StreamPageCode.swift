#if SQLite
  import LiveLists

  // The pieces of the page of ListStream, which only have to compile: Hummingbird's part is Apps'.
  enum StreamPage {
    typealias Photo = OrderGuide.Photo

    struct PhotoContent: Encodable, Sendable {
      var taken: Date
      init(_ photo: Photo) { taken = photo.taken }
    }

    nonisolated(nonsending)
      static func stream(_ photos: FetchController<Photo>) async throws
    {
      let stream = ListStreamTarget<FetchSectionID, UUID, PhotoContent>()
      let source = DiffableDataSource(target: stream) { id in photos.object(for: id).map(PhotoContent.init) }
      try await source.follow(photos)
    }

    static func send(
      _ stream: ListStreamTarget<FetchSectionID, UUID, PhotoContent>,
      _ request: (query: [String: String], Void), _ body: (write: ([UInt8]) async throws -> Void, Void)
    ) async throws {
      for await event in stream.events(since: request.query["since"]) { try await body.write(event) }
    }

    static func long(
      _ photos: FetchController<Photo>, since: String?, window: ListStreamWindow?,
      _ body: (write: ([UInt8]) async throws -> Void, Void)
    ) async throws {
      let stream = ListStreamTarget<FetchSectionID, UUID, PhotoContent>(loading: { ids in
        try await photos.objects(for: ids).mapValues(PhotoContent.init)
      })

      // GET /photos/stream?since=…&window=0,60
      for await event in stream.events(since: since, window: window) { try await body.write(event) }

      // GET /photos/items?from=500000&count=120
      let rows = try await stream.range(ListStreamWindow(from: 500_000, count: 120))
      _ = rows
    }
  }
#endif
