#if SQLite
  import Foundation
  import LiveLists
  import ListSourcesTestSupport
  import _TestTools
  import Testing

  struct ReadmeTests {
    private static let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func lines(_ text: some StringProtocol) -> [String] {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test("Every Swift block of the README is compiled")
    func compiledBlocks() throws {
      let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
      let code = try String(
        contentsOf: Self.root.appending(path: "Tests/DocumentationTests/ReadmeCode.swift"), encoding: .utf8)
      let compiled = Self.lines(code).joined(separator: "\n")
      let blocks = readme.components(separatedBy: "```swift\n").dropFirst()
        .compactMap { $0.components(separatedBy: "```").first }
        .filter { !$0.hasPrefix(".package") }
      #expect(blocks.count >= 3)
      for block in blocks {
        // What closes a block may stand further down, after what the test adds.
        var lines = Self.lines(block)
        while lines.last == "}" { lines.removeLast() }
        let wanted = lines.joined(separator: "\n")
        #expect(compiled.contains(wanted), "the README has code that no test compiles:\n\(block)")
      }
    }

    @Test("The README is short, and its links lead somewhere")
    func lengthAndLinks() throws {
      let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
      #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
      for match in readme.matches(of: /\]\(([^)#]+)\)/) where !match.1.hasPrefix("http") {
        let path = Self.root.appending(path: String(match.1)).path
        #expect(FileManager.default.fileExists(atPath: path), "the README links to \(match.1)")
      }
    }

    @Test("The README's album follows a move that writes one row")
    @MainActor func album() async throws {
      let folder = try TemporaryFolder()
      let path = folder.path + "/photos.sqlite"
      let album = UUID()
      let ranks = try Rank.between(nil, nil, count: 3)
      do {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
          try db.create(table: "photo") { table in
            table.primaryKey("id", .blob)
            table.column("albumID", .blob).notNull()
            table.column("title", .text).notNull()
            table.column("rank", .blob).notNull()
          }
          for (title, rank) in zip(["one", "two", "three"], ranks) {
            try Photo(id: UUID(), albumID: album, title: title, rank: rank).insert(db)
          }
          try Photo(id: UUID(), albumID: UUID(), title: "elsewhere", rank: ranks[0]).insert(db)
        }
      }

      let grid = StrictListView<FetchSectionID, UUID, Photo>()
      var shown: [[String]] = []
      grid.willUpdate = { shown.append(grid.photos.map(\.title)) }
      var store: SQLiteStore?
      var isOver = false
      let following = Task {
        defer { isOver = true }
        try await show(album, at: path, in: grid) { store = $0 }
      }
      while grid.photos.count < 3, !isOver { await Task.yield() }
      try #require(!isOver)
      let photos = grid.photos
      try await move(photos[2], between: photos[0], and: photos[1], in: #require(store))
      while grid.photos.map(\.title) != ["one", "three", "two"]
        || grid.cells[photos[2].id]?.rank == photos[2].rank
      {
        try #require(!isOver)
        await Task.yield()
      }
      following.cancel()
      try await following.value
      #expect(shown.first == [])
      #expect(grid.violations.isEmpty)
      #expect(grid.events.first == .reload)
      #expect(grid.batches.count == 2, "the move, and then the moved photo with its new content")
    }

    @Test("The README's stream has the list for a browser")
    func stream() async throws {
      struct Enough: Error {}
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path + "/photos.sqlite", creating: Photo.self)
      let photo = Photo(id: UUID(), albumID: UUID(), title: "one", rank: try Rank.between(nil, nil))
      try await store.write { db in try photo.insert(db) }
      let photos = FetchController(FetchDescriptor<Photo>().ordered(by: .ascending(\.rank)), in: store)
      var written: [String] = []
      await #expect(throws: Enough.self) {
        try await send(photos, query: "window=60") { bytes in
          written.append(String(decoding: bytes, as: UTF8.self))
          // A reader that waits for its list is sent signs of life before it.
          if written.last?.hasPrefix("event: alive") == false { throw Enough() }
        }
      }
      #expect(written.last?.contains(#""title":"one""#) == true)
    }

    @Test("The README's draft is saved")
    func draft() async throws {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path + "/photos.sqlite", creating: Photo.self)
      defer { try? store.close() }
      let photo = Photo(id: UUID(), albumID: UUID(), title: "Sea", rank: try Rank.between(nil, nil))
      try await store.write { db in try photo.insert(db) }
      let edited = try await rename(photo, in: FetchDescriptor().ordered(by: .ascending(\.rank)), of: store)
      #expect(try edited.objects(in: 0..<9).map(\.title) == ["Fjord"])
      #expect(try await store.read { db in try Photo.fetchOne(db)?.title } == "Fjord")
    }
  }
#endif
