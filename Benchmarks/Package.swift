// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "kinfolk-benchmarks",
    dependencies: [.package(name: "kinfolk", path: "..")],
    targets: [
        .executableTarget(name: "kinfolk-bench", dependencies: [.product(name: "Kinfolk", package: "kinfolk")])
    ],
    swiftLanguageModes: [.v6]
)
