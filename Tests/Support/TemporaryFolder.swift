package import Foundation

/// A new folder of a test's own, which goes with this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("kinfolk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { path + "/" + name }

    /// The names of what is in the folder, sorted.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// The bytes of all files in the folder, one after the other.
    package func allBytes() throws -> Data {
        try names().reduce(into: Data()) { bytes, name in
            bytes.append(try Data(contentsOf: URL(fileURLWithPath: file(name))))
        }
    }
}

/// The permission bits of a file.
package func mode(of path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
}

package func bytes(of path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
