#if SQLite
  import LiveLists

  // The pieces of the page of the module `LiveLists`, and of "When it goes wrong", which only have to compile.
  enum StreamGuide {
    struct Request {
      var query: String?
      func header(_ name: String) -> String? { nil }
    }

    static func send(
      _ open: FetchController<ToDo>, to request: Request, _ body: (write: ([UInt8]) throws -> Void, Void)
    ) async throws {
      let stream = open.stream()
      for await event in stream.events(query: request.query, lastEventID: request.header("Last-Event-ID")) {
        try body.write(event)
      }
    }

    static func goOn(
      _ open: FetchController<ToDo>, _ newestMutations: () async throws -> [String]
    ) async throws -> FetchStream<ToDo, ToDo> {
      let options = ListStreamOptions(recentMutationIDs: try await newestMutations())  // the oldest first
      let stream = open.stream(options: options) { $0 }
      return stream
    }

    static func printFailures(of open: FetchController<ToDo>) async throws {
      for try await change in open.changes {
        for failure in change.failures { print(failure) }
      }
    }
  }
#endif
