#if SQLite
  import LiveFetch
  import LiveFetchSQLite

  extension CaseRun {
    func compare(_ step: Int, isStrict: Bool) async throws {
      for list in lists { await list.controller.waitUntilCurrent() }
      guard let oracle = try oracle() else { return }
      for list in lists where oracle.has(list.spec.roles) {
        let (compared, delivered) = try await list.compare(oracle, step, isStrict: isStrict)
        outcome.comparisons += compared ? 1 : 0
        outcome.deliveries += delivered ? 1 : 0
        if compared { try await compareObjects(list, step, all: false) }
      }
      try await compareRecords(oracle, step)
    }

    func compareObjects(_ list: WatchedList<Key>, _ step: Int?, all: Bool) async throws {
      guard let oracle = try oracle(), oracle.has(list.spec.roles) else { return }
      outcome.objects += try await list.compareObjects(oracle, step, all: all)
    }

    func beginRecords(_ oracle: Oracle) async throws {
      guard law.features.contains(.recordDate), oracle.has(WatchedRecords<Key>.spec.roles) else { return }
      let records = WatchedRecords<Key>(store)
      do { _ = try await records.controller.performFetch() } catch {
        guard law.features.contains(where: \.mayBeRefused) else {
          throw Difference(kind: .refused, step: nil, list: -1, text: "records: \(error)")
        }
        return
      }
      self.records = records
      try await compareRecords(oracle, nil)
    }

    func compareRecords(_ oracle: Oracle, _ step: Int?) async throws {
      guard let records, oracle.has(WatchedRecords<Key>.spec.roles) else { return }
      outcome.objects += try await records.compare(oracle, step)
      outcome.comparisons += 1
      ran.add(.recordDate)
    }

    func readLate() async throws {
      guard let oracle = try oracle() else { return }
      for list in lists where oracle.has(list.spec.roles) {
        await list.controller.waitUntilCurrent()
        try await list.readLate(oracle)
        ran.add(.lateListener)
      }
    }
  }
#endif
