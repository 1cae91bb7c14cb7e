import ContactSheetLibrary
import Hummingbird
import NIOCore

extension ResponseBody {
  /// A body that is part of a file: the next piece is read when the network has taken the one before, and none ahead.
  ///
  /// - Parameters:
  ///   - path: The file. It is opened when the body is written.
  ///   - range: The bytes that are sent.
  static func file(_ path: String, _ range: Range<Int>) -> ResponseBody {
    ResponseBody(contentLength: range.count) { writer in
      let file = try await blocking { try OpenFile(reading: path) }
      var offset = range.lowerBound
      while offset < range.upperBound {
        let (start, count) = (offset, min(BudgetedAnswers.piece, range.upperBound - offset))
        let piece = try await blocking { file.buffer(at: start, count: count) }
        guard piece.readableBytes > 0 else {
          // The head has said how much comes, so the connection ends here.
          throw ContactSheetError(.storage, "“\(path)” became shorter while it was sent.")
        }
        offset += piece.readableBytes
        try await writer.write(piece)
      }
      try await writer.finish(nil)
    }
  }
}
