/// Which photos need a preview: a JPEG of a screen's size that is shown in place of the original.
enum PreviewNeed {
  /// The length up to which the original of a photo that is no larger than a preview is sent in its place, in bytes: over
  /// ten megabits a second it takes little more than a second.
  static let smallFile = 1_500_000

  /// Returns whether a photo is better shown by a preview than by its original.
  ///
  /// - Parameters:
  ///   - format: The original's format.
  ///   - width: The width of the upright picture in pixels.
  ///   - height: The height of the upright picture in pixels.
  ///   - byteCount: The length of the original's file.
  ///   - box: The side of the square that previews fit into, in pixels.
  static func isWanted(_ format: ImageFormat, width: Int, height: Int, byteCount: Int, box: Int) -> Bool {
    guard format.isShownByBrowsers, max(width, height) <= box else { return true }
    // It may be moving, which a preview is not.
    if format == .gif || format == .webp { return false }
    return byteCount > smallFile
  }
}
