package import NIOPosix

/// Runs work that blocks (files, the image library) on a thread that may block, away from Swift's own threads.
package func blocking<Result: Sendable>(
  on pool: NIOThreadPool = .singleton, _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await pool.runIfActive(body)
}
