/// Limits and sizes that a user may change.
public struct Settings: Sendable, Hashable {
  /// The most bytes that a photo's file may have.
  public var byteLimit = 500 << 20
  /// The most pixels that a photo may have. The largest phone pictures have 200 million.
  public var pixelLimit = 400_000_000
  /// The side of the square that thumbnails fit into, in pixels: sharp in the grid also on dense screens.
  public var thumbnailBox = 480
  /// The side of the square that previews fit into: those of photos which browsers cannot show.
  public var previewBox = 2560
  /// How many photos are on their way in at the same time.
  public var importsInParallel = 4

  /// Creates settings with the usual limits.
  public init() {}
}
