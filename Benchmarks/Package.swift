// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "LiveLists", path: "..", traits: []),
    .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
  ],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        .product(name: "ListSources", package: "LiveLists"),
        .product(name: "ListStream", package: "LiveLists"),
        .product(name: "Snapshots", package: "LiveLists"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
