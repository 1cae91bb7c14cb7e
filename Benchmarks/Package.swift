// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "LiveLists", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
  ],
  targets: [
    .target(name: "CAllocator"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CAllocator",
        .product(name: "ListSources", package: "LiveLists"),
        .product(name: "ListStream", package: "LiveLists"),
        .product(name: "LiveDrafts", package: "LiveLists"),
        .product(name: "LiveFetch", package: "LiveLists"),
        .product(name: "LiveFetchSQLite", package: "LiveLists"),
        .product(name: "Snapshots", package: "LiveLists"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
