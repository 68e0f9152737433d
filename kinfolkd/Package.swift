// swift-tools-version: 6.1
import PackageDescription

// A package of its own: a program that depends on Kinfolk downloads and builds none of these packages.
// SwiftNIO without a framework: the service has no routes of its own, takes sockets from systemd, and limits slow clients by itself.
let package = Package(
    name: "kinfolkd",
    dependencies: [
        .package(name: "kinfolk", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.45.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
    ],
    targets: [
        .systemLibrary(name: "CLinux"),
        // The connections: HTTP, TLS, limits, metrics. It knows no command line and no store.
        .target(
            name: "HTTPTransport",
            dependencies: [
                .product(name: "KinfolkWebServices", package: "kinfolk"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "kinfolkd",
            dependencies: [
                "CLinux", "HTTPTransport",
                .product(name: "Kinfolk", package: "kinfolk"),
                .product(name: "KinfolkWebServices", package: "kinfolk"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        // Answers of every kind, without a store, for the tests of the transport.
        .executableTarget(
            name: "kinfolkd-probe",
            dependencies: [
                "HTTPTransport",
                .product(name: "KinfolkWebServices", package: "kinfolk"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/Probe"
        ),
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
