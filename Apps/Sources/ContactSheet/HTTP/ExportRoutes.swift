import HTTPTypes
import Hummingbird

/// Albums as zip archives.
struct ExportRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary

  func add(to router: Router<Context>) {
    router.get("/api/albums/{album}/export") { request, context in
      let export = try await library.export(try context.albumID, numbered: request.query("numbered") == "1")
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
        })
    }
  }
}
