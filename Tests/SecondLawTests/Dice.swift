#if SQLite
  /// Random numbers that a seed repeats (SplitMix64).
  struct Dice {
    private var state: UInt64

    init(seed: UInt64) {
      // The streams of seeds that are multiples of the increment would be one stream, shifted.
      state = seed &* 0xD6E8_FEB8_6659_FD93 ^ 0x2545_F491_4F6C_DD1D
      state = next()
    }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }

    /// A number from 0 to below a bound.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

    /// Some elements, in their order.
    mutating func some<Element>(of elements: [Element], _ percent: Int) -> [Element] {
      elements.filter { _ in chance(percent) }
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
      var elements = elements
      for index in elements.indices.dropFirst().reversed() { elements.swapAt(index, below(index + 1)) }
      return elements
    }
  }
#endif
