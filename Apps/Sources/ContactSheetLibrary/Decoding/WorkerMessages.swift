/// A question to a worker, one JSON object for each line. A picture takes two questions: what its header
/// says, and, once there is room for the memory that it announces, the small picture. Where a preview is wanted, its file
/// comes between the two, since each question brings one file.
enum WorkerQuestion: Sendable, Codable {
  /// Reads the header of the file that comes with the question.
  case header(name: String, pixelLimit: Int)
  /// Has the next question write a preview, too, into the file that comes with this one.
  case preview(box: Int)
  /// Decodes that file into the file that comes with this question, in so many bytes of memory at most.
  case decode(box: Int, memory: Int)
}

/// An answer of a worker.
enum WorkerAnswer: Sendable, Codable {
  /// It is ready; `unconfined` is why the kernel does not confine it, where it does not.
  case ready(unconfined: String?)
  case header(ImageHeader)
  /// It has the file of the preview.
  case taken
  case image(DecodedImage)
  case refused(code: String, message: String, cause: String?)

  static func refused(_ error: ContactSheetError) -> WorkerAnswer {
    .refused(code: error.code.rawValue, message: error.message, cause: error.cause)
  }

  /// The error of a refusal; `nil` for other answers.
  var refusal: ContactSheetError? {
    guard case .refused(let code, let message, let cause) = self else { return nil }
    return ContactSheetError(ContactSheetError.Code(rawValue: code), message, cause: cause)
  }
}
