/// Limits and sizes that a user may change.
package struct Settings: Sendable, Hashable {
  /// The most bytes that a photo's file may have.
  package var byteLimit = 500 << 20
  /// The most pixels that a photo may have. The largest phone pictures have 200 million.
  package var pixelLimit = 400_000_000
  /// The side of the square that thumbnails fit into, in pixels: sharp in the grid also on dense screens.
  package var thumbnailBox = 480
  /// The side of the square that previews fit into, in pixels: sharp on the whole of most screens.
  package var previewBox = 2048
  /// The disk space that previews may take together, in bytes.
  package var previewBytes = 4 << 30
  /// After how many days in the trash photos are removed for good by themselves; `nil`: never.
  package var trashDays: Int? = 30
  /// How many photos are on their way in at the same time.
  package var importsInParallel = 4

  /// Creates settings with the usual limits.
  package init() {}
}
