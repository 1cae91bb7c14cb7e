import ContactSheetLibrary
/// All that is known of a photo, as the page's panel shows it. What is not known is left out.
struct PhotoDetailsAnswer: Encodable {
  var title: String
  var fileName: String
  var format: String
  var width: Int
  var height: Int
  var bytes: Int
  var taken: String?
  var imported: String
  var camera: CameraDetails?

  init(_ details: AllDetails) {
    let photo = details.photo
    title = photo.title
    fileName = photo.fileName
    format = photo.format.rawValue
    width = photo.width
    height = photo.height
    bytes = photo.byteCount
    taken = photo.captureDate?.iso8601
    imported = photo.importedDate.iso8601
    camera = details.camera
  }
}
