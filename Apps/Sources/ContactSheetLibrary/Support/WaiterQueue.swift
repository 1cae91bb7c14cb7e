/// Tasks that wait, in the order in which they came. One that is cancelled leaves the queue, wherever it is in it.
///
/// The continuation of a task is resumed with `true` where it may go on, and with `false` where it has left.
///
/// - Complexity: each task costs a constant on average, however it leaves.
struct WaiterQueue<Element> {
  typealias Continuation = CheckedContinuation<Bool, Never>

  private var waiters: [Int: (element: Element, continuation: Continuation)] = [:]
  /// The numbers of the tasks as they came, also of those that have left since.
  private var order: [Int] = []
  /// Before it, all have left.
  private var head = 0

  /// The number of tasks that wait.
  var count: Int { waiters.count }

  var isEmpty: Bool { waiters.isEmpty }

  /// The element of the task that has waited longest.
  var first: Element? {
    mutating get {
      while head < order.count {
        if let waiter = waiters[order[head]] { return waiter.element }
        head += 1
        if head * 2 > order.count {
          order.removeFirst(head)
          head = 0
        }
      }
      return nil
    }
  }

  /// Adds a task.
  ///
  /// - Parameter number: By it the task can leave. No other task of the gate has it, now or later.
  mutating func append(_ element: Element, number: Int, _ continuation: Continuation) {
    waiters[number] = (element, continuation)
    order.append(number)
  }

  /// Removes the task that has waited longest.
  mutating func removeFirst() -> Continuation? { first == nil ? nil : remove(order[head]) }

  /// Removes the task of a number; `nil` where it has left already.
  mutating func remove(_ number: Int) -> Continuation? { waiters.removeValue(forKey: number)?.continuation }
}
