import Foundation

@testable import ContactSheetLibrary

/// The result of a command that has ended: its status, and what it printed.
typealias CommandResult = (status: Int32, text: String)

extension TestFolder {
  /// Runs a command of the program on the data folder, or on another one. A command that waits for something is ended after
  /// some minutes, and has the status of a killed process.
  func run(_ arguments: String..., data: DataFolder? = nil) async throws -> CommandResult {
    let run = try Run(arguments + ["--data", (data ?? self.data).path])
    let guardian = Guardian(run, seconds: 300)
    defer { guardian.dismiss() }
    return (await run.wait(), run.text)
  }

  /// Makes an album “Alps…” with titles, in an order of its own; the library is closed afterwards.
  ///
  /// - Parameters:
  ///   - count: The number of photos.
  ///   - padding: The number of letters that follow each title, so that tables have several pages.
  /// - Returns: The photos in their order.
  func makeAlbum(count: Int, padding: Int = 0) async throws -> [Photo] {
    let library = try await library()
    let album = try await library.createAlbum("Alps" + String(repeating: "ä", count: padding / 2))
    for number in 0..<count {
      let picture = try TestPictures.write(to: "\(path)/p.jpg", number: number, width: 24, height: 16)
      let photo = try await library.importFile(picture, to: album.id, named: "IMG_\(number).jpg")
      try await library.rename(
        photo: photo.id, in: album.id, to: "Title \(number)" + String(repeating: "x", count: padding))
    }
    var generator = SeededGenerator(seed: 37)
    let ids = try await library.photos(in: album.id).map(\.id).shuffled(using: &generator)
    try await library.sort(album.id, by: .ids(ids), mutationID: UUID())
    let photos = try await library.photos(in: album.id)
    await library.close()
    return photos
  }

  /// Makes an album of one photo whose file is longer than what the network takes ahead of a reader; the library is closed
  /// afterwards.
  func makeLargeOriginal() async throws -> Photo {
    let library = try await library()
    let album = try await library.createAlbum("Large")
    let path = try TestPictures.write(to: "\(path)/large.jpg")
    // What follows the picture is no part of it, and is kept.
    try TestPictures.put(try TestPictures.bytes(path) + [UInt8](repeating: 0, count: 48 << 20), at: path)
    _ = try await library.importFile(path, to: album.id)
    let photo = try await library.photos(in: album.id)[0]
    await library.close()
    return photo
  }

  /// The photos of all albums in their order, read as commands that only read do.
  func photos() async throws -> [Photo] {
    let library = try await PhotoLibrary.visit(data, logger: .quiet)
    var photos: [Photo] = []
    for album in try await library.albums() { photos += try await library.photos(in: album.id) }
    await library.close()
    return photos
  }
}
