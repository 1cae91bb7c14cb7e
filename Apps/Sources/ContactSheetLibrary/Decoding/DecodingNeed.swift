/// The memory that a picture needs, and the option that grants it.
struct DecodingNeed: Sendable {
  private let header: ImageHeader
  private let bytes: Int
  private let options: WorkerDecoder.Options

  /// Creates a need.
  ///
  /// - Parameters:
  ///   - header: What the picture's header says.
  ///   - bytes: The memory that it needs, in bytes: an upper estimate.
  ///   - options: How decoders are run.
  init(_ header: ImageHeader, bytes: Int, _ options: WorkerDecoder.Options) {
    self.header = header
    self.bytes = min(bytes, .max / 4)
    self.options = options
  }

  /// The least `--decoder-megabytes` with which the picture is granted what it needs.
  ///
  /// More memory allows more decoders, and each takes some while it has nothing to do.
  var megabytes: Int {
    var options = options
    options.memory = 0
    while options.memoryForPictures < bytes {
      options.memory += bytes - options.memoryForPictures
    }
    return (options.memory + (1 << 20) - 1) >> 20
  }

  /// Returns a Boolean value that indicates whether too little memory can be what the image library failed by.
  ///
  /// The libraries for JPEG, PNG and TIFF say so. Those for WebP and HEIC call whatever goes wrong by one name.
  func explains(_ refusal: ContactSheetError) -> Bool {
    switch refusal.code {
    case .tooMuchMemory: true
    case .damaged: header.format == .webp || header.format == .heic
    default: false
    }
  }

  /// The error that says so.
  func error(name: String, cause: String?) -> ContactSheetError {
    ContactSheetError(
      .tooMuchMemory,
      "“\(name)” has \(header.width) × \(header.height) pixels. Reading them can take more memory than decoders may have"
        + " (\(options.memory >> 20) MB). Start ContactSheet with --decoder-megabytes \(megabytes), or make the picture"
        + " smaller.",
      cause: cause)
  }
}
