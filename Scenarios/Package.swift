// swift-tools-version: 6.2
import PackageDescription

// What people outside the library write with it. Nothing here sees more than is public.
let package = Package(
  name: "Scenarios",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LiveLists", path: "..")],
  targets: [
    .target(name: "ArrayStore", dependencies: [.product(name: "LiveStore", package: "LiveLists")]),
    .testTarget(
      name: "ArrayStoreTests",
      dependencies: [
        "ArrayStore",
        .product(name: "LiveStore", package: "LiveLists"),
        .product(name: "LiveListsTestSupport", package: "LiveLists"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
