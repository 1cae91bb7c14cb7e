@testable import ContactSheetLibrary

/// Several libraries in one folder, each of which is open only while it is used.
extension TestFolder {
  func data(_ name: String) -> DataFolder { DataFolder(path: "\(path)/\(name)") }

  /// Opens the library of a data folder, and closes it whatever comes of it.
  func use<Result>(
    _ data: DataFolder, _ body: (PhotoLibrary) async throws -> Result
  ) async throws -> Result {
    let library = try await PhotoLibrary.open(data, decoder: InProcessDecoder(), logger: .quiet)
    do {
      let result = try await body(library)
      await library.close()
      return result
    } catch {
      await library.close()
      throw error
    }
  }
}
