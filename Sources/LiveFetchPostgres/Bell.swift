#if PostgreSQL
  import Dispatch
  import Synchronization

  /// Whether the bell has rung since it was last asked.
  final class RingFlag: Sendable {
    private let isSet = Atomic<Bool>(false)

    func set() { isSet.store(true, ordering: .releasing) }
    func take() -> Bool { isSet.exchange(false, ordering: .acquiringAndReleasing) }
  }

  /// Wakes other nodes after a write, and is woken by them.
  ///
  /// A notification in the transaction of a write would have commits wait for one another. Each is sent in one of its own, which
  /// does not wait for the disk; several writes share one.
  ///
  /// `@unchecked`: connection and source are used on the queue alone.
  final class Bell: @unchecked Sendable {
    private let queue = DispatchQueue(label: "LiveFetchPostgres.bell")
    private let isRinging = Atomic<Bool>(false)
    private let hears = Atomic<Bool>(false)
    private let heard = Mutex<(@Sendable () -> Void)?>(nil)
    private var connection: Connection?
    private var source: (any DispatchSourceRead)?
    private var isClosed = false

    func onRing(_ body: @escaping @Sendable () -> Void) { heard.withLock { $0 = body } }

    /// Connects, unless it is connected or connecting.
    func start(_ pool: ConnectionPool) {
      guard hears.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
      else {
        return
      }
      queue.async { [self] in
        do {
          if isClosed { return }
          let made = try pool.connect()
          try made.run("LISTEN livelists")
          connection = made
          let source = DispatchSource.makeReadSource(fileDescriptor: made.socket, queue: queue)
          source.setEventHandler { [weak self] in self?.take() }
          // The socket is closed by the connection's end, which must come after that of the source.
          source.setCancelHandler { withExtendedLifetime(made) {} }
          self.source = source
          source.resume()
        } catch { end() }
      }
    }

    /// Wakes the other nodes.
    func ring() {
      guard
        isRinging.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
      else {
        return
      }
      queue.async { [self] in
        isRinging.store(false, ordering: .releasing)
        guard let connection else { return }
        do {
          // For this transaction alone: a pool of connections would hand the setting on to others.
          try connection.run("BEGIN; SET LOCAL synchronous_commit = off; NOTIFY livelists; COMMIT")
          take()
        } catch { end() }
      }
    }

    private func take() {
      guard let connection else { return }
      do {
        guard try connection.takeNotifications() > 0 else { return }
        heard.withLock { $0 }?()
      } catch { end() }
    }

    private func end() {
      source?.cancel()
      source = nil
      connection = nil
      hears.store(false, ordering: .releasing)
    }

    func close() {
      queue.async { [self] in
        isClosed = true
        end()
      }
    }
  }
#endif
