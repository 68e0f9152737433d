// swift-tools-version: 6.1
import PackageDescription

// The floor of the network service: a package of its own, so that only the benchmarks of the service download and build Hummingbird.
let package = Package(
    name: "service-floor",
    dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1")],
    targets: [
        .executableTarget(
            name: "service-floor",
            dependencies: [.product(name: "Hummingbird", package: "hummingbird")]
        )
    ],
    swiftLanguageModes: [.v6]
)
