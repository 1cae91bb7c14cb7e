import ArgumentParser
import ContactSheet
import ContactSheetLibrary
import Foundation

extension PhotoOrder.Key: ExpressibleByArgument {}

/// `contact-sheet sort`.
struct Sort: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sort an album.",
    discussion: """
      By a property, reversed, or like an export or a list. Lists name one photo on each line, by id, file name or \
      title; “contact-sheet photos” prints such a list. Photos that are not named follow as they are. If \
      ContactSheet runs on the data folder, its pages show the new order at once.
      """,
    aliases: ["reorder"])

  @Option(help: ArgumentHelp("The album's title.", valueName: "title"))
  var album = "My photos"

  @Option(help: "The property: when they were taken, title, file name, or when they came in.")
  var by: PhotoOrder.Key?

  @Option(
    help: ArgumentHelp(
      "An export (folder, zip or manifest.json) or a list; “-” for a list or a manifest from standard input.",
      valueName: "file"))
  var like: String?

  @Flag(help: "Turn the order around; alone, the present one.")
  var reversed = false

  @OptionGroup var data: DataOptions

  func validate() throws {
    guard by == nil || like == nil else { throw ValidationError("--by and --like exclude each other.") }
    guard by != nil || like != nil || reversed else {
      throw ValidationError("Say --by, --like or --reversed.")
    }
  }

  func run() async throws {
    let title = album
    let (albumID, photos) = try await Reading.run(data.folder) { library in
      let album = try await Reading.album(titled: title, in: library)
      return (album.id, try await library.photos(in: album.id))
    }
    let reading = try order(of: photos)
    for note in reading.notes { Terminal.standardError.line(note) }
    let order = reading.order
    let isReversed = reversed && (by != nil || like != nil)
    let moved: Int
    if let holder = FolderLock.holder(of: data.folder), let url = holder.url {
      moved = try await RunningServer.sort(
        albumID, by: order, reversed: isReversed, at: url, folder: data.folder)
    } else {
      let library = try await OpenLibrary.open(data.folder, logger: Terminal.logger)
      do {
        moved = try await library.library.sort(albumID, by: order, reversed: isReversed, mutationID: UUID())
      } catch {
        await library.close()
        throw error
      }
      await library.close()
    }
    Terminal.standardOutput.line(
      moved == 0 ? "“\(album)” was in that order already." : "Moved \(moved) photos of “\(album)”.")
    if reading.isIncomplete { throw ExitCode(65) }
  }

  private func order(of photos: [Photo]) throws -> OrderList.Reading {
    if let by { return OrderList.Reading(order: .by(by)) }
    guard let like else { return OrderList.Reading(order: .reversed) }
    guard like == "-" else { return try OrderList.read(like, naming: photos) }
    let bytes = try FileHandle.standardInput.readToEnd() ?? Data()
    return try OrderList.read(standardInput: bytes, naming: photos)
  }
}

/// `contact-sheet photos`.
struct Photos: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the photos of an album in its order.",
    discussion: "One line each: the id, a tab, the file's name, a tab, the title.")

  @Option(help: ArgumentHelp("The album's title.", valueName: "title"))
  var album = "My photos"

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await Reading.run(data.folder) { library in
      let album = try await Reading.album(titled: album, in: library)
      for photo in try await library.photos(in: album.id) {
        try Terminal.standardOutput.item(
          "\(photo.id.uuidString.lowercased())\t\(photo.fileName)\t\(photo.title)")
      }
    }
  }
}
