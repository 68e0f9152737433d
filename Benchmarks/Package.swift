// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "kinfolk-benchmarks",
    dependencies: [.package(name: "kinfolk", path: "..")],
    targets: [
        // The floors: the unavoidable work in C, with which each figure is compared.
        .target(
            name: "Floors",
            cSettings: [.define("_POSIX_C_SOURCE", to: "200809L")],
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("sodium"), .linkedLibrary("idn2")]
        ),
        .executableTarget(
            name: "kinfolk-bench",
            dependencies: ["Floors", .product(name: "Kinfolk", package: "kinfolk")]
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c99
)
