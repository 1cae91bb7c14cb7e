extension ContactSheetError {
  /// The exit code of the command for this error, after the BSD convention (sysexits).
  ///
  /// 65: a file's data; 66: an input that is missing; 69: a service, port, library or limit of the system; 70: a fault of ours; 73: a
  /// folder that cannot be written; 74: reading or writing; 75: try again later; 64: wrong use; 77: not
  /// permitted.
  package var exitCode: Int32 {
    switch code {
    case .empty, .truncated, .damaged, .notAnImage, .unsupported, .tooLarge, .tooManyPixels, .tooMuchMemory,
      .timedOut, .decoderFailed, .databaseTooNew:
      65
    case .unreadable, .notFound: 66
    case .portInUse, .addressUnavailable, .unreachable, .limited, .noImageLibrary: 69
    case .readOnly: 73
    case .diskFull, .storage: 74
    case .inUse, .conflict, .busy: 75
    case .loginNeeded, .forbidden: 77
    case .badRequest: 64
    default: 70
    }
  }
}
