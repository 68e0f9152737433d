// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "kinfolk",
    products: [
        .library(name: "Kinfolk", targets: ["Kinfolk"]),
        // For programs that use Foundation; the others link none.
        .library(name: "KinfolkFoundation", targets: ["KinfolkFoundation"]),
        // For kinfolkd, which is a package of its own.
        .library(name: "KinfolkWebServices", targets: ["KinfolkWebServices"]),
        // A library and an executable cannot share a product name, so the executable carries its suffix until it is installed.
        .library(name: "kinfolk", type: .dynamic, targets: ["KinfolkC"]),
        .executable(name: "kinfolk-cli", targets: ["kinfolk-cli"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // No library: libpq is loaded when it is needed.
        .systemLibrary(name: "CLibPQ"),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CProcess"),
        .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"])]),
        // Rooted at the package, so that an edit to the header is seen by the next build.
        .target(name: "CKinfolk", path: ".", sources: ["Sources/CKinfolk"], publicHeadersPath: "Include"),

        // From the lowest to the highest: each target knows only those above it in this list, and depends on all that its dependencies depend
        // on (below).
        .target(name: "KinfolkThreads"),
        .target(name: "KinfolkFiles", dependencies: ["KinfolkThreads"]),
        .target(name: "KinfolkJSON"),
        .target(name: "CSQLiteVFS", dependencies: ["CSQLite"]),
        .target(name: "KinfolkCrypto", dependencies: ["CSodium", "KinfolkThreads"]),
        .target(name: "KinfolkStorage", dependencies: ["CLibPQ", "CProcess", "CSQLiteVFS", "KinfolkFiles"]),
        .target(name: "KinfolkModel", dependencies: ["KinfolkCrypto"]),
        .target(name: "KinfolkContacts", dependencies: ["CUnistring", "KinfolkFiles", "KinfolkModel"]),
        .target(name: "KinfolkPrivateClient", dependencies: ["KinfolkContacts"]),
        .target(name: "KinfolkCore", dependencies: ["KinfolkModel", "KinfolkStorage"]),
        .target(name: "KinfolkAccounts", dependencies: ["KinfolkContacts", "KinfolkCore"]),
        .target(name: "KinfolkDiscovery", dependencies: ["KinfolkAccounts", "KinfolkPrivateClient"]),
        .target(name: "KinfolkRecords", dependencies: ["KinfolkAccounts"]),
        .target(name: "KinfolkSubscriptions", dependencies: ["KinfolkRecords"]),
        .target(name: "KinfolkKeyValue", dependencies: ["KinfolkSubscriptions"]),
        .target(name: "KinfolkDocuments", dependencies: ["KinfolkSubscriptions"]),
        .target(name: "KinfolkAccess", dependencies: ["KinfolkAccounts"]),
        .target(
            name: "Kinfolk",
            dependencies: ["KinfolkAccess", "KinfolkDiscovery", "KinfolkDocuments", "KinfolkJSON", "KinfolkKeyValue"]
        ),
        // The protocol of CloudKit Web Services, without a network. Only kinfolkd uses it.
        .target(name: "KinfolkWebServices", dependencies: ["Kinfolk"]),
        .target(name: "KinfolkC", dependencies: ["CKinfolk", "Kinfolk"]),
        .target(name: "KinfolkFoundation", dependencies: ["Kinfolk"]),
        .executableTarget(
            name: "kinfolk-cli",
            dependencies: ["Kinfolk", .product(name: "ArgumentParser", package: "swift-argument-parser")]
        ),

        .target(name: "TestSupport", dependencies: ["KinfolkStorage"], path: "Tests/Support"),
        .target(name: "ServiceSupport", dependencies: ["Kinfolk", "TestSupport"], path: "Tests/ServiceSupport"),
        // Tests also see what another process does to a store: that process is the probe. Tests find the probe and the command at run time.
        // As dependencies, they would be linked again, and all tests with them, after each change of a function.
        .executableTarget(name: "kinfolk-probe", dependencies: ["Kinfolk", "TestSupport"], path: "Tests/Probe"),
        // Tries to break each promise, and says what came of it.
        .executableTarget(name: "kinfolk-attack", dependencies: ["Kinfolk", "TestSupport"], path: "Tests/Attack"),
        .testTarget(name: "KinfolkThreadsTests", dependencies: ["TestSupport"]),
        .testTarget(
            name: "KinfolkCryptoTests",
            dependencies: ["KinfolkCrypto"],
            exclude: ["OPRF/rfc9497-vectors.json"],
            // OPRFMemoryTests: a function that is found at its first call leaves parts of keys on the stack (docs/threat-model.md).
            linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]
        ),
        .testTarget(name: "KinfolkStorageTests", dependencies: ["Kinfolk", "TestSupport"]),
        .testTarget(
            name: "KinfolkContactsTests",
            dependencies: ["ServiceSupport"],
            exclude: ["Contacts/Fixtures", "Contacts/canonical-email-vectors.json"]
        ),
        .testTarget(name: "KinfolkAccountsTests", dependencies: ["ServiceSupport"]),
        .testTarget(name: "KinfolkRecordsTests", dependencies: ["ServiceSupport"]),
        .testTarget(name: "KinfolkQueriesTests", dependencies: ["ServiceSupport"]),
        .testTarget(name: "KinfolkSubscriptionsTests", dependencies: ["ServiceSupport"]),
        .testTarget(name: "KinfolkStoreTests", dependencies: ["ServiceSupport"], exclude: ["OlderStores/Fixtures"]),
        .testTarget(name: "KinfolkWebServicesTests", dependencies: ["KinfolkWebServices", "ServiceSupport"]),
        .testTarget(name: "KinfolkFoundationTests", dependencies: ["KinfolkFoundation"]),
        .testTarget(name: "KinfolkCLITests", dependencies: ["TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// SwiftPM builds a target again only if a target that it names has changed. The layout of a struct in a lower target is compiled into all
// that use the struct, also through a re-export. So each target names all that it reaches, and so do the products, for kinfolkd.
// packaging/warm-build-test tests this.
let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
var reached: [String: [String]] = [:]  // of the targets so far, in the order of `package.targets`
for target in package.targets {
    let direct = target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
    let all = Set(direct + direct.flatMap { reached[$0] ?? [] })
    reached[target.name] = package.targets.map(\.name).filter(all.contains)
    target.dependencies += all.subtracting(direct).sorted().map { .init(stringLiteral: $0) }
}
let exported = ["Kinfolk", "KinfolkFoundation", "KinfolkWebServices"]
package.products = package.products.filter { !exported.contains($0.name) }
package.products += exported.map { name in
    .library(name: name, targets: [name] + (reached[name] ?? []).filter { targets[$0]?.type != .system })
}

// `make quick SUITE=Records` builds only the tests of one domain, and what they need.
if let suite = Context.environment["KINFOLK_SUITE"] {
    let roots = ["Kinfolk\(suite)Tests", suite == "CLI" ? "kinfolk-cli" : "kinfolk-probe"]
    let kept = Set(roots + roots.flatMap { reached[$0] ?? [] })
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}
