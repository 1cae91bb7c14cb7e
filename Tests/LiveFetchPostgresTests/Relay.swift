#if PostgreSQL
  import Foundation
  import Testing

  /// A line between a store and the server that a test can cut, have let nothing through, or have lose the answer to the next `COMMIT`.
  ///
  /// `@unchecked`: the state is guarded by the condition.
  final class Relay: @unchecked Sendable {
    enum Mode: Equatable {
      case open, holding, losingCommit, cut
      /// Lets some requests of the stores through before it holds.
      case holdingAfter(Int)
    }

    let port: UInt16
    private let target: UInt16
    private let listener: Int32
    private let condition = NSCondition()
    private var mode = Mode.open
    private var sockets: Set<Int32> = []
    /// The stores' ends of connections over which a commit goes whose answer is lost.
    private var losing: Set<Int32> = []

    init(to target: UInt16) throws {
      self.target = target
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = Self.address(0)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, length) == 0 && listen(listener, 64) == 0
            && getsockname(listener, $0, &length) == 0
        }
      }
      try #require(isBound)
      self.listener = listener
      port = UInt16(bigEndian: address.sin_port)
      Thread { [self] in acceptAll() }.start()
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return address
    }

    func set(_ mode: Mode) {
      condition.withLock {
        self.mode = mode
        if mode == .cut { for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
        condition.broadcast()
      }
    }

    func end() {
      set(.cut)
      shutdown(listener, Int32(SHUT_RDWR))
    }

    private func acceptAll() {
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 {
          close(listener)
          return
        }
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(target)
        let isThere = withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
          }
        }
        let isOpen = condition.withLock {
          guard isThere, mode != .cut else { return false }
          sockets.formUnion([client, server])
          return true
        }
        guard isOpen else {
          close(client)
          close(server)
          continue
        }
        let group = DispatchGroup()
        for (from, to) in [(client, server), (server, client)] {
          group.enter()
          Thread { [self] in
            forward(from, to, isAnswer: from == server)
            group.leave()
          }.start()
        }
        group.notify(queue: .global()) { [self] in
          condition.withLock {
            sockets.subtract([client, server])
            close(client)
            close(server)
          }
        }
      }
    }

    private func forward(_ from: Int32, _ to: Int32, isAnswer: Bool) {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      defer {
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
      }
      while true {
        let count = recv(from, &bytes, bytes.count, 0)
        guard count > 0 else { return }
        let isLost = condition.withLock {
          if !isAnswer, case .holdingAfter(let left) = mode {
            mode = left > 0 ? .holdingAfter(left - 1) : .holding
          }
          while mode == .holding { condition.wait() }
          if isAnswer { return losing.remove(to) != nil }
          if mode == .losingCommit, bytes[..<count].contains("COMMIT".utf8) {
            losing.insert(from)
            mode = .open
          }
          return false
        }
        if isLost { return }
        var sent = 0
        while sent < count {
          let more = bytes.withUnsafeBytes { buffer in
            send(to, buffer.baseAddress.map { $0 + sent }, count - sent, Int32(MSG_NOSIGNAL))
          }
          guard more > 0 else { return }
          sent += more
        }
      }
    }
  }
#endif
