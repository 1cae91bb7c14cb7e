#if canImport(SwiftUI)
  import LiveLists
  import SwiftUI

  // The code of the comment on `LiveList`. Type-checked against stubs of SwiftUI; never run.
  struct Album: View {
    @LiveList<FetchSectionID, UUID, Photo> var photos
    let controller: FetchController<Photo>

    var body: some View {
      List(photos.snapshot.itemIdentifiers, id: \.self) { id in PhotoRow(photos[id]) }
        .task { try? await $photos.follow(controller.changes) { id in controller.object(for: id) } }
    }
  }

  struct PhotoRow: View {
    let photo: Photo?

    init(_ photo: Photo?) { self.photo = photo }

    var body: some View { Text(photo?.title ?? "") }
  }
#endif
