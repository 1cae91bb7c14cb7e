import LiveLists
import LiveListsTestSupport
import Synchronization
import Testing

@Suite("A controller's list as a stream")
struct FetchStreamTests {
  let store = InMemoryStore()
  static let request = FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key))

  func put(_ ids: Int..., origin: String? = nil) {
    store.write(origin: origin) { table in
      for id in ids { table.put(ConformanceItem(id: id, section: "a", key: id).values, in: "item") }
    }
  }

  func stream(options: ListStreamOptions = ListStreamOptions()) -> FetchStream<ConformanceItem, Int> {
    FetchController(Self.request, in: store).stream(options: options) { $0.key * 10 }
  }

  /// The data lines of the next event that is none of the heartbeats.
  static func next(
    _ events: inout FetchStreamEvents<ConformanceItem, Int>.AsyncIterator
  ) async -> String? {
    while let bytes = await events.next(isolation: nil) {
      let text = String(decoding: bytes, as: UTF8.self)
      if !text.hasPrefix("event: alive") { return text }
    }
    return nil
  }

  @Test("Readers are given the list as soon as they come, each change, and what they missed")
  func follows() async throws {
    put(1, 2)
    let stream = stream()
    var reader = stream.events().makeAsyncIterator()
    let first = try #require(await Self.next(&reader))
    #expect(first.contains(#""kind":"snapshot""#) && first.contains(#""1":10"#))
    let version = try #require(stream.target.version)
    put(3)
    let change = try #require(await Self.next(&reader))
    #expect(change.contains(#""inserted":[["3",0,2]]"#) && change.contains(#""3":30"#))
    var again = stream.events(query: "since=\(version)&window=0%2C60").makeAsyncIterator()
    #expect(await Self.next(&again) == change)
    var byHeader = stream.events(query: nil, lastEventID: "\(version)").makeAsyncIterator()
    #expect(await Self.next(&byHeader) == change)
    stream.finish()
    #expect(await Self.next(&reader) == nil)
    #expect(await Self.next(&again) == nil)
  }

  @Test(
    "Sections travel by their texts: those of text as they are, those of numbers as digits, that of no value as nothing"
  )
  func sections() async throws {
    store.write { table in
      for (id, key) in [(1, -2), (2, 10), (3, 9)] {
        let item = ConformanceItem(id: id, section: "s\(key)", key: key, note: id == 3 ? "x\"" : nil)
        table.put(item.values, in: "item")
      }
    }
    let sections: [(FetchSectionKey<ConformanceItem>, String)] = [
      (
        .value(\.section),
        #"[{"id":"s-2","items":["1"]},{"id":"s10","items":["2"]},{"id":"s9","items":["3"]}]"#
      ),
      (.value(\.key), #"[{"id":"-2","items":["1"]},{"id":"9","items":["3"]},{"id":"10","items":["2"]}]"#),
      (.value(\.note), #"[{"id":"","items":["1","2"]},{"id":"x\"","items":["3"]}]"#),
    ]
    for (section, expected) in sections {
      let stream = FetchController(Self.request.sectioned(by: section), in: store).stream { $0.key }
      var reader = stream.events().makeAsyncIterator()
      #expect(try #require(await Self.next(&reader)).contains("\"sections\":\(expected)"))
    }
    let stream = FetchController(Self.request.sectioned(by: \.key), in: store).stream { $0.key }
    var reader = stream.events().makeAsyncIterator()
    _ = await Self.next(&reader)
    store.write { $0.put(ConformanceItem(id: 1, section: "a", key: 20).values, in: "item") }
    let change = try #require(await Self.next(&reader))
    #expect(change.contains(#""sections":{"deleted":[["-2",0]],"inserted":[["20",2]]}"#))
  }

  @Test("A mutation that changed nothing comes round as well")
  func acknowledges() async throws {
    put(1)
    let stream = stream()
    var reader = stream.events().makeAsyncIterator()
    _ = await Self.next(&reader)
    await stream.controller.acknowledge("no-change")
    #expect(try #require(await Self.next(&reader)).contains(#""acts":["no-change"]"#))
  }

  @Test(
    "Mutations of before come with the first list, which is one frame, and with the lists of later readers")
  func recentMutations() async throws {
    put(1)
    let stream = stream(options: ListStreamOptions(recentMutationIDs: ["before", "long-before"]))
    var reader = stream.events().makeAsyncIterator()
    let first = try #require(await Self.next(&reader))
    #expect(first.contains(#""acts":["before","long-before"]"#) && first.contains(#""seq":0,"#))
    #expect(stream.target.version?.sequence == 0)
    put(2, origin: "now")
    #expect(try #require(await Self.next(&reader)).contains(#""acts":["now"]"#))
    var later = stream.events(query: "since=e.7").makeAsyncIterator()
    #expect(try #require(await Self.next(&later)).contains(#""acts":["before","long-before""#))
  }

  @Test("Of the mutations of before at most as many are named as changes are kept")
  func recentMutationsLimit() async throws {
    let stream = stream(
      options: ListStreamOptions(recentMutationIDs: ["a", "b", "c"], ringCapacity: 2))
    var reader = stream.events().makeAsyncIterator()
    #expect(try #require(await Self.next(&reader)).contains(#""acts":["b","c"]"#))
  }

  @Test(
    "A stream listens as soon as it is started, so that nothing that is acknowledged from then on is lost")
  func listensAtOnce() async throws {
    put(1)
    let stream = stream()
    try await stream.controller.performFetch()
    stream.start()
    try #require(stream.controller.statistics.listeners == 1)
    await stream.controller.acknowledge(["one", "two"])
    var reader = stream.events().makeAsyncIterator()
    var told = ""
    while !told.contains("two") { told += try #require(await Self.next(&reader)) }
    #expect(told.contains(#"["one","two"]"#))
  }

  @Test(
    "Of a long list a reader is given a window, and other rows when it asks, also before the first reader")
  func rows() async throws {
    for id in 1...50 { put(id) }
    var options = ListStreamOptions()
    options.maximumWholeList = 10
    let stream = stream(options: options)
    let rows = try #require(try await stream.rows(query: "from=20&count=2"))
    #expect(String(decoding: rows, as: UTF8.self).contains(#""21":210"#))
    let names = try #require(try await stream.rows(query: "from=20&count=2&content=0"))
    #expect(!String(decoding: names, as: UTF8.self).contains("210"))
    #expect(try await stream.rows(query: "from=x&count=2") == nil)
    #expect(try await stream.rows(query: nil) == nil)
    var reader = stream.events(query: "window=2").makeAsyncIterator()
    let first = try #require(await Self.next(&reader))
    #expect(first.contains(#""count":50"#) && first.contains(#""2":20"#) && !first.contains(#""3":30"#))
    stream.finish()
    #expect(try await stream.rows(query: "from=0&count=1") == nil || stream.target.version != nil)
  }

  @Test("A reader keeps the stream; when both are gone, the list is followed no longer")
  func releases() async throws {
    put(1)
    let controller = FetchController(Self.request, in: store)
    do {
      var reader = controller.stream { $0.key }.events().makeAsyncIterator()
      #expect(await reader.next(isolation: nil) != nil)
      put(2)
      #expect(await reader.next(isolation: nil) != nil)
      #expect(controller.statistics.listeners == 1)
    }
    while controller.statistics.listeners > 0 { await Task.yield() }
  }

  @Test(
    "Readers are told while the list may be old: those that are there, those that come, and when it is over")
  func interruption() async throws {
    put(1)
    var options = ListStreamOptions()
    options.failureMessage = { "Old: \(($0 as? FetchError)?.kind == .interrupted)" }
    let stream = stream(options: options)
    var reader = stream.events().makeAsyncIterator()
    #expect(try #require(await Self.next(&reader)).contains("snapshot"))
    store.interrupt(CancellationError())
    #expect(try #require(await Self.next(&reader)).contains(#""message":"Old: true""#))
    var late = stream.events().makeAsyncIterator()
    #expect(try #require(await Self.next(&late)).contains("snapshot"))
    #expect(try #require(await Self.next(&late)).contains(#""message":"Old: true""#))
    // Nothing was missed.
    store.resume()
    #expect(try #require(await Self.next(&reader)).contains(#""message":null"#))
    #expect(try #require(await Self.next(&late)).contains(#""message":null"#))
    // Something was: the change says that it is over.
    store.interrupt(CancellationError())
    #expect(try #require(await Self.next(&reader)).contains(#""message":"Old: true""#))
    put(2)
    #expect(try #require(await Self.next(&reader)).contains(#""inserted":[["2",0,1]]"#))
    put(3)
    #expect(try #require(await Self.next(&reader)).contains(#""inserted":[["3",0,2]]"#))
  }

  @Test("Of a row that cannot be listed readers are not told: the list is right without it")
  func unreadableRow() async throws {
    put(1)
    let stream = stream()
    var reader = stream.events().makeAsyncIterator()
    #expect(try #require(await Self.next(&reader)).contains("snapshot"))
    var values = ConformanceItem(id: 2, section: "a", key: 2).values
    values["key"] = .text("two")
    store.write { $0.put(values, in: "item") }
    put(3)
    #expect(try #require(await Self.next(&reader)).contains(#""inserted":[["3",0,1]]"#))
  }

  @Test(
    "A list that cannot be read is tried again, and readers are told; a mistake in the request ends the stream"
  )
  func failures() async throws {
    put(1)
    let failures = Mutex<[FetchError.Kind]>([])
    store.failReads(with: .outOfOrderSection(name: "x"))
    let stream = FetchController(Self.request, in: store).stream(
      onFailure: { error in failures.withLock { $0.append(error.kind) } }, content: { $0.key * 10 })
    var reader = stream.events().makeAsyncIterator()
    #expect(try #require(await Self.next(&reader)).contains("failure"))
    store.failReads(with: nil)
    var text = await Self.next(&reader)
    while let known = text, !known.contains("snapshot") { text = await Self.next(&reader) }
    #expect(text?.contains(#""1":10"#) == true)
    #expect(failures.withLock { $0.first } == .outOfOrderSection)
    let mistaken = FetchController(FetchDescriptor<ConformanceItem>(), in: store).stream { $0.key }
    let events = mistaken.events()
    for await event in events { #expect(String(decoding: event, as: UTF8.self).contains("failure")) }
  }
}
