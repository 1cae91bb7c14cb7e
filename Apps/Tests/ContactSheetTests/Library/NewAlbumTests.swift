import Foundation
import Testing

@testable import ContactSheet

/// Albums that are made by an act: one, however often it is sent.
@Suite struct NewAlbumTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test func anActThatIsSentAgainMakesOneAlbum() async throws {
    let library = try await folder.library()
    let before = try await library.albums().count
    let act = UUID()
    let first = try await library.createAlbum("A", act: act)
    #expect(first.id == act)
    // Whoever was not answered may have typed something else since: the album stays what it is.
    let second = try await library.createAlbum("B", act: act)
    #expect((second.id, second.title) == (act, "A"))
    #expect(try await library.albums().count == before + 1)
    #expect(try await library.createAlbum("A", act: UUID()).id != act)
    #expect(try await library.albums().count == before + 2)
    await library.close()
  }

  @Test func aTryThatComesLateBringsNoDeletedAlbumBack() async throws {
    let library = try await folder.library()
    let act = UUID()
    let album = try await library.createAlbum("A", act: act)
    try await library.deleteAlbum(album.id)
    #expect(await code { try await library.createAlbum("A", act: act) } == .notFound)
    #expect(try await library.album(act) == nil)
    // Nor is an album that was made without an act made again under its id.
    let other = try await library.createAlbum("B").id
    #expect(try await library.createAlbum("C", act: other).title == "B")
    await library.close()
  }
}
