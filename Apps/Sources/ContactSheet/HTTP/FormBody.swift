import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The fields of a form that a page without scripts sent.
struct FormBody: Sendable {
  private let fields: [(name: String, value: String)]

  /// Takes fields from `application/x-www-form-urlencoded`.
  init(_ text: String) {
    fields = text.parts(between: "&").map { pair in
      let sides = pair.parts(between: "=", maxSplits: 1, omittingEmpty: false)
      return (Self.decoded(sides[0]), sides.count > 1 ? Self.decoded(sides[1]) : "")
    }
  }

  /// The first value of a field.
  subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// All values of a field.
  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.decodedField(text) ?? String(text)
  }
}

extension Request {
  /// The fields of the form in the body.
  ///
  /// A form is what a page of another site can send, too; browsers say where it comes from, and a form of which
  /// nobody says so is refused.
  func form(upTo limit: Int = 1 << 20) async throws -> FormBody {
    guard headers[.contentType]?.beginsExactly(with: "application/x-www-form-urlencoded") == true else {
      throw ContactSheetError(.badRequest, "A form is wanted here.")
    }
    guard headers[.origin] != nil || headers[.secFetchSite] != nil else {
      throw ContactSheetError(.forbidden, "Only ContactSheet's own pages may send forms.")
    }
    let buffer: ByteBuffer
    do {
      buffer = try await body.collect(upTo: limit)
    } catch let error as NIOTooManyBytesError {
      throw ContactSheetError(.badRequest, "The form is too long.", cause: "\(error)")
    }
    return FormBody(String(buffer: buffer))
  }
}
