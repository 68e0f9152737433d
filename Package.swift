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

        // From the lowest to the highest: each target knows only those above it in this list.
        .target(name: "KinfolkThreads"),
        .target(name: "KinfolkFiles", dependencies: ["KinfolkThreads"]),
        .target(name: "KinfolkJSON"),
        .target(name: "CSQLiteVFS", dependencies: ["CSQLite"]),
        .target(name: "KinfolkCrypto", dependencies: ["CSodium", "KinfolkThreads"]),
        .target(
            name: "KinfolkStorage",
            dependencies: ["CLibPQ", "CProcess", "CSQLite", "CSQLiteVFS", "KinfolkFiles", "KinfolkThreads"]
        ),
        .target(name: "KinfolkModel", dependencies: ["KinfolkCrypto"]),
        .target(
            name: "KinfolkContacts",
            dependencies: ["CUnistring", "KinfolkCrypto", "KinfolkFiles", "KinfolkModel", "KinfolkThreads"]
        ),
        .target(
            name: "KinfolkPrivateClient",
            dependencies: ["KinfolkContacts", "KinfolkCrypto", "KinfolkModel", "KinfolkThreads"]
        ),
        .target(
            name: "KinfolkCore",
            dependencies: ["KinfolkCrypto", "KinfolkFiles", "KinfolkModel", "KinfolkStorage", "KinfolkThreads"]
        ),
        .target(
            name: "KinfolkAccounts",
            dependencies: [
                "KinfolkContacts", "KinfolkCore", "KinfolkCrypto", "KinfolkModel", "KinfolkStorage", "KinfolkThreads",
            ]
        ),
        .target(
            name: "KinfolkDiscovery",
            dependencies: [
                "KinfolkAccounts", "KinfolkContacts", "KinfolkCore", "KinfolkCrypto", "KinfolkModel",
                "KinfolkPrivateClient", "KinfolkStorage", "KinfolkThreads",
            ]
        ),
        .target(
            name: "KinfolkRecords",
            dependencies: ["KinfolkAccounts", "KinfolkCore", "KinfolkCrypto", "KinfolkModel", "KinfolkStorage"]
        ),
        .target(
            name: "KinfolkSubscriptions",
            dependencies: [
                "KinfolkAccounts", "KinfolkCore", "KinfolkCrypto", "KinfolkModel", "KinfolkRecords", "KinfolkStorage",
                "KinfolkThreads",
            ]
        ),
        .target(
            name: "KinfolkKeyValue",
            dependencies: [
                "KinfolkAccounts", "KinfolkCore", "KinfolkCrypto", "KinfolkModel", "KinfolkRecords", "KinfolkStorage",
                "KinfolkSubscriptions", "KinfolkThreads",
            ]
        ),
        .target(
            name: "KinfolkDocuments",
            dependencies: [
                "KinfolkAccounts", "KinfolkCore", "KinfolkCrypto", "KinfolkFiles", "KinfolkModel", "KinfolkRecords",
                "KinfolkStorage", "KinfolkSubscriptions", "KinfolkThreads",
            ]
        ),
        .target(
            name: "KinfolkAccess",
            dependencies: ["KinfolkAccounts", "KinfolkCore", "KinfolkCrypto", "KinfolkModel", "KinfolkStorage"]
        ),
        .target(
            name: "Kinfolk",
            dependencies: [
                "KinfolkAccess", "KinfolkAccounts", "KinfolkContacts", "KinfolkCore", "KinfolkCrypto",
                "KinfolkDiscovery",
                "KinfolkDocuments", "KinfolkFiles", "KinfolkJSON", "KinfolkKeyValue", "KinfolkModel",
                "KinfolkPrivateClient", "KinfolkRecords", "KinfolkStorage", "KinfolkSubscriptions", "KinfolkThreads",
            ]
        ),
        // The protocol of CloudKit Web Services, without a network. Only kinfolkd uses it.
        .target(
            name: "KinfolkWebServices",
            dependencies: ["Kinfolk", "KinfolkCrypto", "KinfolkJSON", "KinfolkThreads"]
        ),
        .target(
            name: "KinfolkC",
            dependencies: ["CKinfolk", "Kinfolk", "KinfolkFiles", "KinfolkStorage", "KinfolkThreads"]
        ),
        .target(name: "KinfolkFoundation", dependencies: ["Kinfolk"]),
        .executableTarget(
            name: "kinfolk-cli",
            dependencies: [
                "CProcess", "CUnistring", "Kinfolk", "KinfolkFiles", "KinfolkJSON", "KinfolkStorage", "KinfolkThreads",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        // Tests also see what another process does to a store: that process is the probe.
        .target(
            name: "TestSupport",
            dependencies: ["CSQLite", "KinfolkFiles", "KinfolkStorage", "KinfolkThreads"],
            path: "Tests/Support"
        ),
        .executableTarget(
            name: "kinfolk-probe",
            dependencies: [
                "Kinfolk", "KinfolkCore", "KinfolkFiles", "KinfolkRecords", "KinfolkStorage", "KinfolkSubscriptions",
                "KinfolkThreads", "TestSupport",
            ],
            path: "Tests/Probe"
        ),
        // Tries to break each promise, and says what came of it.
        .executableTarget(
            name: "kinfolk-attack",
            dependencies: [
                "CSQLite", "CSodium", "Kinfolk", "KinfolkAccounts", "KinfolkContacts", "KinfolkCore", "KinfolkCrypto",
                "KinfolkDiscovery", "KinfolkFiles", "KinfolkModel", "KinfolkPrivateClient", "KinfolkRecords",
                "KinfolkStorage", "KinfolkSubscriptions", "KinfolkThreads", "TestSupport",
            ],
            path: "Tests/Attack"
        ),
        .testTarget(name: "KinfolkThreadsTests", dependencies: ["KinfolkThreads", "TestSupport", "kinfolk-probe"]),
        .testTarget(
            name: "KinfolkCryptoTests",
            dependencies: ["CSodium", "KinfolkCrypto"],
            exclude: ["OPRF/rfc9497-vectors.json"],
            // OPRFMemoryTests: a function that is found at its first call leaves parts of keys on the stack (docs/threat-model.md).
            linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]
        ),
        .testTarget(
            name: "KinfolkStorageTests",
            dependencies: ["KinfolkFiles", "KinfolkStorage", "KinfolkThreads", "TestSupport", "kinfolk-probe"]
        ),
        .testTarget(
            name: "KinfolkTests",
            dependencies: [
                "Kinfolk", "KinfolkAccess", "KinfolkAccounts", "KinfolkContacts", "KinfolkCore", "KinfolkCrypto",
                "KinfolkDiscovery", "KinfolkDocuments", "KinfolkFiles", "KinfolkJSON", "KinfolkKeyValue",
                "KinfolkModel",
                "KinfolkPrivateClient", "KinfolkRecords", "KinfolkStorage", "KinfolkSubscriptions", "KinfolkThreads",
                "KinfolkWebServices", "TestSupport", "kinfolk-probe",
            ],
            exclude: ["Contacts/Fixtures", "Contacts/canonical-email-vectors.json", "OlderStores/Fixtures"]
        ),
        .testTarget(name: "KinfolkFoundationTests", dependencies: ["Kinfolk", "KinfolkFoundation"]),
        .testTarget(name: "KinfolkCLITests", dependencies: ["KinfolkThreads", "TestSupport", "kinfolk-cli"]),
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
