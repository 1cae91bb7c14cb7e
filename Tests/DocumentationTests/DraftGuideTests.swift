#if SQLite
  import Foundation
  import LiveLists
  import _TestTools
  import Testing

  struct DraftGuideTests {
    @Test("All Swift code of the articles about drafts is compiled")
    func compiled() throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      func lines(_ text: some StringProtocol) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
          .joined(separator: "\n")
      }
      let code = lines(
        try String(
          contentsOf: root.appending(path: "Tests/DocumentationTests/DraftGuideCode.swift"), encoding: .utf8))
      let folder = root.appending(path: "Sources/LiveDrafts/LiveDrafts.docc")
      var blocks: [String] = []
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      where file.pathExtension == "md" {
        blocks += try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```swift\n")
          .dropFirst()
          .compactMap { $0.components(separatedBy: "```").first }
      }
      #expect(blocks.count >= 4)
      for block in blocks { #expect(code.contains(lines(block)), "no test compiles:\n\(block)") }
    }

    @MainActor @Test("It does what the articles say")
    func run() async throws {
      typealias Photo = DraftGuide.Photo
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path + "/photos.sqlite", creating: Photo.self)
      defer { try? store.close() }
      let (one, two) = (Photo(id: UUID(), title: "one"), Photo(id: UUID(), title: "two"))
      try await store.write { db in for photo in [one, two] { try photo.insert(db) } }
      let list = try await DraftGuide.overview(store, one, two.id)
      #expect(list.snapshot?.itemIdentifiers.map { list.object(for: $0)?.title } == ["Fjord", "Sea"])
      let (ids, firstHundred) = try DraftGuide.read(list)
      #expect(ids == firstHundred.map(\.id) && firstHundred.map(\.title) == ["Fjord", "Sea"])

      let editor = DraftGuide.PhotoEditor(of: store)
      try await editor.photos.performFetch()
      try editor.rename(one, to: "Zoo")
      #expect(editor.photos.snapshot?.itemIdentifiers.last == one.id)
      editor.cancel()
      #expect(editor.photos.snapshot?.itemIdentifiers.first == one.id)
      try editor.rename(one, to: "Zoo")
      try await editor.save()
      #expect(list.snapshot?.itemIdentifiers.last == one.id)

      // Somebody else renames it, too: once mine is kept, once theirs.
      for isMine in [true, false] {
        try editor.rename(one, to: "Mine \(isMine)")
        try await store.write { db in try Photo(id: one.id, title: "Theirs").update(db) }
        try await DraftGuide.Saving().save(editor.draft) { rows in
          #expect(rows.map(\.columns) == [["title"]])
          let described = try? DraftGuide.describe(DraftConflict(rows: rows))
          #expect(described == ["Mine \(isMine) or Theirs?"])
          #expect(try! rows[0].base(as: Photo.self)?.id == one.id)
          #expect("\(DraftConflict(rows: rows))".contains("the row \(one.id) of"))
          return isMine
        }
        #expect(editor.photos.object(for: one.id)?.title == (isMine ? "Mine true" : "Theirs"))
      }
      try await DraftGuide.Saving().delete(one.id, in: editor.draft)
      #expect(list.snapshot?.numberOfItems == 1 && !editor.draft.hasChanges)
    }
  }
#endif
