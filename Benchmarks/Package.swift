// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(name: "PostgreSQL", description: "Brings the suite `postgres`, by the system's libpq.")
  ],
  dependencies: [
    .package(
      name: "LiveLists", path: "..",
      traits: ["SQLite", .trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
  ],
  targets: [
    .target(name: "CAllocator"),
    .systemLibrary(
      name: "CBareLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CAllocator",
        .target(name: "CBareLibPQ", condition: .when(traits: ["PostgreSQL"])),
        .product(name: "ListSources", package: "LiveLists"),
        .product(name: "ListStream", package: "LiveLists"),
        .product(name: "LiveDrafts", package: "LiveLists"),
        .product(name: "LiveFetch", package: "LiveLists"),
        .product(
          name: "LiveFetchPostgres", package: "LiveLists", condition: .when(traits: ["PostgreSQL"])),
        .product(name: "LiveFetchSQLite", package: "LiveLists"),
        .product(name: "Snapshots", package: "LiveLists"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
