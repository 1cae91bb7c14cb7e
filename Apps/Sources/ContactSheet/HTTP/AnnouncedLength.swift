import ContactSheetLibrary
import HTTPTypes

extension HTTPFields {
  /// The length of the body that is announced, however large; `nil` where none is, or no number.
  var announcedLength: Int? { self[.contentLength].flatMap { OutsideNumber.clamped($0, to: 0...Int.max) } }
}
