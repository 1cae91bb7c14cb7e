// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "LiveLists",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "LiveLists", targets: ["LiveLists"]),
    .library(name: "Snapshots", targets: ["Snapshots"]),
    .library(name: "LiveStore", targets: ["LiveStore"]),
    .library(name: "LiveDraftStore", targets: ["LiveDraftStore"]),
    .library(name: "LiveFetch", targets: ["LiveFetch"]),
    .library(name: "LiveDrafts", targets: ["LiveDrafts"]),
    .library(name: "LiveFetchSQLite", targets: ["LiveFetchSQLite"]),
    .library(name: "LiveFetchPostgres", targets: ["LiveFetchPostgres"]),
    .library(name: "ListSources", targets: ["ListSources"]),
    .library(name: "ListSourcesApple", targets: ["ListSourcesApple"]),
    .library(name: "ListStream", targets: ["ListStream"]),
    .library(name: "LiveListsTestSupport", targets: ["LiveListsTestSupport", "ListSourcesTestSupport"]),
    // For the package's own tests, those of Apps and Fuzzing included, and for nobody else: it changes without notice. It is a product
    // because the checker of snapshots reads `package` members of Snapshots, so that its target has to be in this package, and a package
    // sees another's target only through a product. A package of its own would need this one, which needs it: SwiftPM refuses the circle.
    .library(name: "_TestTools", targets: ["_TestTools"]),
  ],
  traits: [
    .default(enabledTraits: ["SQLite"]),
    .trait(name: "SQLite", description: "The SQLite store of LiveFetchSQLite, on GRDB."),
    .trait(
      name: "PostgreSQL", description: "The PostgreSQL store of LiveFetchPostgres, on the system's libpq."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    // Older releases of GRDB do not link on Linux.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "CMemoryHints"),
    .target(
      name: "Snapshots",
      dependencies: [
        "CMemoryHints", .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    .target(name: "LiveStore"),
    .target(name: "LiveDraftStore", dependencies: ["LiveStore"]),
    .target(
      name: "LiveFetch",
      dependencies: [
        "LiveStore", "Snapshots",
        .product(name: "Metrics", package: "swift-metrics"),
      ]),
    .target(name: "LiveDrafts", dependencies: ["LiveDraftStore", "LiveStore"]),
    .target(
      name: "CSQLiteHooks",
      cSettings: [.define("SQLITE_ENABLE_PREUPDATE_HOOK")],
      linkerSettings: [.linkedLibrary("sqlite3", .when(traits: ["SQLite"]))]),
    .target(
      name: "LiveFetchSQLite",
      dependencies: [
        "LiveDraftStore", "LiveStore",
        .target(name: "CSQLiteHooks", condition: .when(traits: ["SQLite"])),
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "LiveFetchPostgres",
      dependencies: [
        "LiveDraftStore", "LiveStore", .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"])),
      ]),
    .target(
      name: "ListSources",
      dependencies: [
        "Snapshots", .product(name: "HashTreeCollections", package: "swift-collections"),
      ]),
    .target(name: "ListSourcesApple", dependencies: ["ListSources", "Snapshots"]),
    .target(
      name: "ListStream",
      dependencies: [
        "ListSources", "Snapshots",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      resources: [.copy("Browser")]),
    .target(
      name: "LiveLists",
      dependencies: [
        "ListSources", "ListSourcesApple", "ListStream", "LiveDrafts", "LiveFetch", "LiveFetchSQLite",
        "Snapshots",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    .target(
      name: "LiveListsTestSupport",
      dependencies: ["Snapshots", "LiveStore", "LiveDraftStore", "LiveDrafts", "LiveFetch", "_TestTools"]),
    // Apart from the stores' half, so that a change in ListSources has no test of a store compiled and run again.
    .target(name: "ListSourcesTestSupport", dependencies: ["Snapshots", "ListSources"]),
    .target(name: "_TestTools", dependencies: ["Snapshots"]),
    .testTarget(name: "SnapshotsTests", dependencies: ["Snapshots", "_TestTools"]),
    .testTarget(
      name: "LiveFetchTests",
      dependencies: [
        "LiveStore", "LiveFetch", "LiveListsTestSupport", "_TestTools",
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ]),
    .testTarget(
      name: "LiveDraftsTests",
      dependencies: [
        "LiveStore", "LiveDraftStore", "LiveDrafts", "LiveFetch", "LiveFetchPostgres", "LiveFetchSQLite",
        "LiveListsTestSupport", "Snapshots",
        "_TestTools",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    .testTarget(
      name: "LiveFetchSQLiteTests",
      dependencies: [
        "LiveStore", "LiveFetch", "LiveFetchSQLite", "LiveListsTestSupport", "_TestTools",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    .testTarget(
      name: "LiveFetchPostgresTests",
      dependencies: [
        "LiveStore", "LiveDraftStore", "LiveDrafts", "LiveFetch", "LiveFetchPostgres", "LiveListsTestSupport",
        "Snapshots",
        "_TestTools",
      ]),
    .testTarget(
      name: "SecondLawTests",
      dependencies: [
        "LiveStore", "LiveFetch", "LiveFetchSQLite", "LiveListsTestSupport", "_TestTools",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    .testTarget(
      name: "ListSourcesTests",
      dependencies: [
        "LiveFetch", "ListSources", "ListSourcesApple", "ListSourcesTestSupport", "LiveListsTestSupport",
        "_TestTools",
      ]),
    .testTarget(
      name: "ListStreamTests", dependencies: ["ListStream", "_TestTools"],
      resources: [.copy("Vectors")]),
    .testTarget(
      name: "LiveListsTests",
      dependencies: ["LiveLists", "ListSourcesTestSupport", "LiveListsTestSupport", "_TestTools"]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["LiveLists", "ListSourcesTestSupport", "LiveListsTestSupport", "_TestTools"]),
  ],
  swiftLanguageModes: [.v6]
)

// `scripts/test-tiny-nodes`, `scripts/test-races` and `scripts/test-postgres` need no other tests than these, and who writes a guide
// none but its own.
let only = [
  "snapshots": ["SnapshotsTests"], "postgres": ["LiveFetchPostgresTests"],
  "documentation": ["DocumentationTests"],
  "races of lists": ["SnapshotsTests", "LiveFetchTests", "ListSourcesTests", "ListStreamTests"],
  "races of stores": ["LiveFetchSQLiteTests", "LiveDraftsTests", "SecondLawTests"],
]
if let tests = only[Context.environment["LIVELISTS_TESTS"] ?? ""] {
  package.targets.removeAll { $0.type == .test && !tests.contains($0.name) }
}

for target in package.targets where !["CMemoryHints", "CSQLiteHooks", "CLibPQ"].contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
