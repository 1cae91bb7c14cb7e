/// An error, in words for the person who uses ContactSheet: which file or setting, and how to mend it.
package struct ContactSheetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, stable across releases: programs decide by it, people read the message.
  package struct Code: RawRepresentable, Sendable, Hashable {
    /// The word that stands for the kind in JSON.
    package let rawValue: String

    /// Creates a code from its word.
    package init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The kind of failure.
  package let code: Code

  /// One or two sentences that name the file or setting and say how to mend it.
  package let message: String

  /// The message of the system or a library, where that helps to find the cause. Not shown on the page.
  package let cause: String?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: Sentences for the user.
  ///   - cause: What the system said.
  package init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, followed by what the system said.
  package var description: String {
    guard let cause, !cause.isEmpty else { return message }
    return "\(message) (\(cause))"
  }
}

extension ContactSheetError.Code {
  // About a file that was to become a photo.

  /// The file has no bytes.
  package static let empty = Self(rawValue: "empty")
  /// The file ends before the picture does.
  package static let truncated = Self(rawValue: "truncated")
  /// The file is a picture whose data is damaged.
  package static let damaged = Self(rawValue: "damaged")
  /// The file is no picture.
  package static let notAnImage = Self(rawValue: "notAnImage")
  /// The file is a picture of a kind that ContactSheet does not take.
  package static let unsupported = Self(rawValue: "unsupported")
  /// The file has more bytes than the limit.
  package static let tooLarge = Self(rawValue: "tooLarge")
  /// The picture has more pixels than the limit.
  package static let tooManyPixels = Self(rawValue: "tooManyPixels")
  /// Reading the picture takes more memory than decoders may have.
  package static let tooMuchMemory = Self(rawValue: "tooMuchMemory")
  /// Reading the picture took longer than the limit.
  package static let timedOut = Self(rawValue: "timedOut")
  /// The program that reads pictures ended unexpectedly.
  package static let decoderFailed = Self(rawValue: "decoderFailed")
  /// The image library that reads pictures is missing on this machine, too old or damaged.
  package static let noImageLibrary = Self(rawValue: "noImageLibrary")
  /// The file could not be read.
  package static let unreadable = Self(rawValue: "unreadable")

  // About the data folder and the machine.

  /// The disk is full.
  package static let diskFull = Self(rawValue: "diskFull")
  /// The data folder cannot be written.
  package static let readOnly = Self(rawValue: "readOnly")
  /// Another process uses the data folder.
  package static let inUse = Self(rawValue: "inUse")
  /// The network port is taken.
  package static let portInUse = Self(rawValue: "portInUse")
  /// The network address cannot be used.
  package static let addressUnavailable = Self(rawValue: "addressUnavailable")
  /// The system gives this process too little memory, or too few threads.
  package static let limited = Self(rawValue: "limited")
  /// Reading or writing failed for another reason.
  package static let storage = Self(rawValue: "storage")
  /// The database was made by a newer release.
  package static let databaseTooNew = Self(rawValue: "databaseTooNew")
  /// A running server could not be reached.
  package static let unreachable = Self(rawValue: "unreachable")

  // About a request.

  /// The request is not one that the server understands.
  package static let badRequest = Self(rawValue: "badRequest")
  /// The photo, album or list that the request names does not exist.
  package static let notFound = Self(rawValue: "notFound")
  /// The request comes from another site, or asks for another host.
  package static let forbidden = Self(rawValue: "forbidden")
  /// The request comes from somebody who has not logged in.
  package static let loginNeeded = Self(rawValue: "loginNeeded")
  /// Too many tries; another may be made later.
  package static let tooManyTries = Self(rawValue: "tooManyTries")
  /// The server has as much to do as it can.
  package static let busy = Self(rawValue: "busy")
  /// The request cannot be performed in the present state.
  package static let conflict = Self(rawValue: "conflict")
  /// Something failed that should not have.
  package static let `internal` = Self(rawValue: "internal")
}
