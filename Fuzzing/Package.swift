// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets. They are a package of their own because they only link with `-sanitize=fuzzer`;
// `scripts/fuzz-snapshots` builds and runs them.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LiveLists", path: "..", traits: [])],
  targets: [
    .executableTarget(
      name: "fuzz-snapshots",
      dependencies: [
        .product(name: "Snapshots", package: "LiveLists"),
        .product(name: "_TestTools", package: "LiveLists"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
