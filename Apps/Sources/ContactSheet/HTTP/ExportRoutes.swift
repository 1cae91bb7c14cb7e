import ContactSheetLibrary
import HTTPTypes
import Hummingbird

/// Albums as zip archives.
struct ExportRoutes: Sendable {
  let library: PhotoLibrary
  /// The memory that answers take together.
  let budget: MemoryBudget

  /// The memory that the plan of an archive takes for each photo: its headers, its part of the manifest, its title.
  private static let memoryPerPhoto = 2048

  func add(to router: Router<WebContext>) {
    router.get("/api/albums/{album}/export") { request, context in
      let albumID = try context.albumID
      // Of an album that is longer than the budget allows, the plan takes more; few of them are made at a time.
      let photos = min(max(0, try await library.album(albumID)?.photoCount ?? 0), 1 << 30)
      let memory = min(photos * Self.memoryPerPhoto + ArchiveReader.memory, budget.limit / 4)
      let share = try await budget.share(
        memory + BudgetedAnswers.streamed, for: context.address, isLarge: true)
      let export = try await library.export(albumID, numbered: request.query("numbered") == "1")
      let name = PercentEncoding.encoded(export.fileName)
      return Response(
        status: .ok,
        headers: [
          .contentType: "application/zip", .cacheControl: "no-store",
          .contentDisposition: "attachment; filename*=UTF-8''\(name)",
        ],
        body: ResponseBody(contentLength: export.length) { writer in
          try await export.send { try await writer.write($0) }
          try await writer.finish(nil)
          withExtendedLifetime(share) {}
        })
    }
  }
}
