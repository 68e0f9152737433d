// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "kinfolk-examples",
    // Elsewhere: .package(url: "…", from: "0.2.0"). By path the name is given, since the folder may have another.
    dependencies: [.package(name: "kinfolk", path: "../..")],
    targets: [
        "articles", "assets", "document-editor", "four-tasks", "friends", "projects", "queries", "readme", "records",
        "settings", "subscriptions",
    ].map { name in
        .executableTarget(name: name, dependencies: [.product(name: "Kinfolk", package: "kinfolk")])
    } + [
        .executableTarget(
            name: "offline-zone",
            dependencies: ["SQLite3", .product(name: "Kinfolk", package: "kinfolk")]
        ),
        .systemLibrary(name: "SQLite3", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    ],
    swiftLanguageModes: [.v6]
)
