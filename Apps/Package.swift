// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "LiveListsApps",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "contact-sheet", targets: ["contact-sheet"]),
    .executable(name: "colors", targets: ["colors"]),
    .executable(name: "events", targets: ["events"]),
    .executable(name: "photos", targets: ["photos"]),
    .executable(name: "todo", targets: ["todo"]),
  ],
  traits: [
    .trait(
      name: "PostgreSQL",
      description: "Has `events` take a PostgreSQL database for its store, by the system's libpq.")
  ],
  dependencies: [
    .package(
      name: "LiveLists", path: "..",
      traits: [.defaults, .trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.86.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.20.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // It finds libvips by name when that is first needed (decision 0024).
    .target(name: "CVipsShim", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CProcessShim"),
    .target(name: "CCryptoShim", linkerSettings: [.linkedLibrary("crypto")]),
    .target(
      name: "CZlibShim", linkerSettings: [.linkedLibrary("z"), .linkedLibrary("deflate")]),
    // Beside the server and not in it, so that it is compiled while what HTTP needs is.
    .target(
      name: "ContactSheetLibrary",
      dependencies: [
        "CCryptoShim", "CProcessShim", "CVipsShim", "CZlibShim",
        .product(name: "LiveLists", package: "LiveLists"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .target(
      name: "ContactSheet",
      dependencies: [
        "CProcessShim", "CZlibShim", "ContactSheetLibrary",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "LiveLists", package: "LiveLists"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      resources: [.copy("Pages")]),
    .executableTarget(
      name: "contact-sheet",
      dependencies: [
        "ContactSheet",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]),
    .target(
      name: "ExampleServer",
      dependencies: [
        .product(name: "LiveLists", package: "LiveLists"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .executableTarget(
      name: "colors",
      dependencies: [
        "ExampleServer",
        .product(name: "LiveLists", package: "LiveLists"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["README.md"],
      resources: [.copy("Page")]),
    .executableTarget(
      name: "events",
      dependencies: [
        "ExampleServer",
        .product(name: "LiveFetchPostgres", package: "LiveLists", condition: .when(traits: ["PostgreSQL"])),
        .product(name: "LiveLists", package: "LiveLists"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["README.md"],
      resources: [.copy("Page")]),
    .executableTarget(
      name: "photos",
      dependencies: [
        "ExampleServer",
        .product(name: "LiveLists", package: "LiveLists"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["README.md"],
      resources: [.copy("Page")]),
    // The program of the guide "Start in five minutes", as it stands there.
    .executableTarget(
      name: "todo",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "LiveLists", package: "LiveLists"),
      ]),
    .testTarget(
      name: "ContactSheetTests",
      dependencies: [
        "ContactSheet", "CProcessShim", "CVipsShim", "CZlibShim", "contact-sheet",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "LiveLists", package: "LiveLists"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "_TestTools", package: "LiveLists"),
      ],
      resources: [.copy("Fixtures")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets
where !["CCryptoShim", "CProcessShim", "CVipsShim", "CZlibShim"].contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
