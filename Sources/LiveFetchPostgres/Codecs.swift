#if PostgreSQL
  import CLibPQ
  import LiveStore

  /// How values of a type come from the server, in binary form.
  ///
  /// A value that has no number of ours becomes one that no column of its kind admits, so that its row is a bad one: a `NaN`
  /// is text, and infinite times are infinite numbers, which keep their order.
  enum Codec: Hashable {
    case integer2, integer4, integer8, truth, unsigned
    case real4, real8
    case text
    case bytes
    case uuid
    case time
    case day

    init?(_ oid: Oid) {
      switch oid {
      case TypeID.int2: self = .integer2
      case TypeID.int4: self = .integer4
      case TypeID.int8: self = .integer8
      case TypeID.bool: self = .truth
      case TypeID.oid: self = .unsigned
      case TypeID.float4: self = .real4
      case TypeID.float8: self = .real8
      case TypeID.text, TypeID.varchar, TypeID.bpchar, TypeID.name: self = .text
      case TypeID.bytea: self = .bytes
      case TypeID.uuid: self = .uuid
      case TypeID.timestamp, TypeID.timestamptz: self = .time
      case TypeID.date: self = .day
      default: return nil
      }
    }

    /// The value where the result has it.
    func value(_ bytes: UnsafeRawBufferPointer) -> FetchRawValue {
      switch self {
      case .integer2: .init(kind: .integer, integer: Int64(Int16(bigEndian: load(bytes))))
      case .integer4: .init(kind: .integer, integer: Int64(Int32(bigEndian: load(bytes))))
      case .integer8: .init(kind: .integer, integer: Int64(bigEndian: load(bytes)))
      case .unsigned: .init(kind: .integer, integer: Int64(UInt32(bigEndian: load(bytes))))
      case .truth: .init(kind: .integer, integer: bytes[0] == 0 ? 0 : 1)
      case .real4: Self.real(Double(Float(bitPattern: UInt32(bigEndian: load(bytes)))))
      case .real8: Self.real(Double(bitPattern: UInt64(bigEndian: load(bytes))))
      case .text: .init(kind: .text, bytes: bytes)
      case .bytes, .uuid: .init(kind: .blob, bytes: bytes)
      case .time: Self.time(Int64(bigEndian: load(bytes)), .max, .min, unit: 1)
      case .day:
        Self.time(
          Int64(Int32(bigEndian: load(bytes))), Int64(Int32.max), Int64(Int32.min), unit: 86_400_000_000)
      }
    }

    private func load<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer) -> Number {
      bytes.loadUnaligned(as: Number.self)
    }

    private static func real(_ number: Double) -> FetchRawValue {
      number.isNaN ? .init(kind: .text, bytes: notANumber) : .init(kind: .real, real: number)
    }

    private static func time(_ number: Int64, _ most: Int64, _ least: Int64, unit: Int64) -> FetchRawValue {
      if number == most { return .init(kind: .real, real: .infinity) }
      if number == least { return .init(kind: .real, real: -.infinity) }
      let (microseconds, isTooLarge) = number.multipliedReportingOverflow(by: unit)
      let (since1970, isBeyond) = microseconds.addingReportingOverflow(PostgresTime.epoch)
      if isTooLarge || isBeyond { return .init(kind: .real, real: number < 0 ? -.infinity : .infinity) }
      return .init(kind: .integer, integer: since1970)
    }

    private static var notANumber: UnsafeRawBufferPointer {
      let text: StaticString = "NaN"
      return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
  }
#endif
