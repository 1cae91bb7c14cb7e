// swift-tools-version: 6.2
import PackageDescription

// What people outside the library write with it. Nothing here sees more than is public.
let package = Package(
  name: "Scenarios",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(
      name: "PostgreSQL", description: "Builds the library with its store on PostgreSQL, as its own tests do."
    )
  ],
  dependencies: [
    .package(
      name: "LiveLists", path: "..",
      traits: ["SQLite", .trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))])
  ],
  targets: [
    .executableTarget(name: "Terminal", dependencies: [.product(name: "LiveLists", package: "LiveLists")]),
    .executableTarget(
      name: "Browser", dependencies: ["TinyServer", .product(name: "LiveLists", package: "LiveLists")]),
    .target(name: "TinyServer"),
    // The programs of the guides.
    .executableTarget(name: "TypedList", dependencies: [.product(name: "LiveLists", package: "LiveLists")]),
    .executableTarget(name: "Search", dependencies: [.product(name: "LiveLists", package: "LiveLists")]),
    .executableTarget(name: "Order", dependencies: [.product(name: "LiveLists", package: "LiveLists")]),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "Terminal", "Browser", "TypedList", "Search", "Order",
        .product(name: "LiveLists", package: "LiveLists"),
        .product(name: "LiveListsTestSupport", package: "LiveLists"),
      ]),
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
