// swift-tools-version: 6.1
import PackageDescription

// A package of its own: a program that depends on Kinfolk downloads and builds none of these packages.
let package = Package(
    name: "kinfolkd",
    dependencies: [
        .package(name: "kinfolk", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        .executableTarget(
            name: "kinfolkd",
            dependencies: [
                .product(name: "Kinfolk", package: "kinfolk"),
                .product(name: "KinfolkWebServices", package: "kinfolk"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
