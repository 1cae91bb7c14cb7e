import CVipsShim
import Synchronization

/// The image library, loaded and started once for the process, when it is first needed.
enum Vips {
  /// Room for the sentences that the library gives on failure.
  static let errorCapacity = 1024

  private static let started: Result<Void, ContactSheetError> = {
    var text = [CChar](repeating: 0, count: errorCapacity)
    guard cs_start("contact-sheet", &text, text.count) == 0 else {
      return .failure(
        ContactSheetError(
          .noImageLibrary,
          "Pictures cannot be read here: libvips 8.13 or later is needed, and could not be loaded. Install it"
            + " (libvips42 on Debian and Ubuntu, vips with Homebrew), then try again.", cause: string(text)))
    }
    return .success(())
  }()

  /// Starts the library if it is not started yet.
  ///
  /// - Throws: `ContactSheetError.Code.noImageLibrary` where it is missing or too old. It is looked for once in a process.
  static func start() throws(ContactSheetError) { try started.get() }

  /// The text up to the terminating zero.
  static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The library's error text belongs to the process, so calls take turns. Servers do not notice: their
  /// pictures are read in processes of their own.
  private static let turn = Mutex(())

  /// Calls a function of the shim with room for its error text; gives that text where it fails.
  static func call(_ body: (UnsafeMutablePointer<CChar>, Int) -> CInt) -> String? {
    turn.withLock { _ in
      var text = [CChar](repeating: 0, count: errorCapacity)
      let result = text.withUnsafeMutableBufferPointer { buffer in
        // The array has a fixed, positive count, so it has an address.
        buffer.baseAddress.map { body($0, buffer.count) } ?? -1
      }
      return result == 0 ? nil : string(text)
    }
  }
}
