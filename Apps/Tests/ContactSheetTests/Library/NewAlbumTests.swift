import Foundation
import Testing

@testable import ContactSheetLibrary

/// Albums that are made by a mutation: one, however often it is sent.
@Suite struct NewAlbumTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test func aMutationThatIsSentAgainMakesOneAlbum() async throws {
    let library = try await folder.library()
    let before = try await library.albums().count
    let mutationID = UUID()
    let first = try await library.createAlbum("A", mutationID: mutationID)
    #expect(first.id == mutationID)
    // Whoever was not answered may have typed something else since: the album stays what it is.
    let second = try await library.createAlbum("B", mutationID: mutationID)
    #expect((second.id, second.title) == (mutationID, "A"))
    #expect(try await library.albums().count == before + 1)
    #expect(try await library.createAlbum("A", mutationID: UUID()).id != mutationID)
    #expect(try await library.albums().count == before + 2)
    await library.close()
  }

  @Test func aTryThatComesLateBringsNoDeletedAlbumBack() async throws {
    let library = try await folder.library()
    let mutationID = UUID()
    let album = try await library.createAlbum("A", mutationID: mutationID)
    try await library.deleteAlbum(album.id)
    #expect(await code { try await library.createAlbum("A", mutationID: mutationID) } == .notFound)
    #expect(try await library.album(mutationID) == nil)
    // Nor is an album that was made without a mutation made again under its id.
    let other = try await library.createAlbum("B").id
    #expect(try await library.createAlbum("C", mutationID: other).title == "B")
    await library.close()
  }
}
