import Foundation
import KinfolkFiles
import KinfolkStorage

extension TemporaryFolder {
    /// The server on which the tests have their stores; nil if they have them in files.
    package static let server: String? = {
        let server = ProcessInfo.processInfo.environment["KINFOLK_TEST_STORE"] ?? ""
        return server.isEmpty ? nil : server
    }()

    /// Whether the stores of tests are files. Tests of what only files have are skipped where they are not.
    package static let hasFiles = server == nil

    /// Where a store of this name is: a file of the folder, or a schema of its own on the server.
    package func store(_ name: String) -> String {
        guard let server = TemporaryFolder.server else { return file(name) }
        let words = (URL(fileURLWithPath: path).lastPathComponent + "_" + name).lowercased()
        let schema = String(words.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return server + (server.contains("?") ? "&" : "?") + "pool_size=16&schema=\(schema)"
    }

    /// The key file of a store: beside it, or where it would be if the store were in a file.
    package static func keyPath(of store: String) -> String {
        guard Store.isServer(FilePath(store)), let start = store.range(of: "schema=")?.upperBound else {
            return (store.hasSuffix(".db") ? String(store.dropLast(3)) : store) + ".key"
        }
        // kinfolk-UUID, and the name.
        let schema = store[start...].prefix { $0 != "&" }
        let folder = "kinfolk-" + schema.dropFirst(8).prefix(36).uppercased().replacingOccurrences(of: "_", with: "-")
        let name = schema.dropFirst(45)
        let file = (name.hasSuffix("_db") ? name.dropLast(3) : name) + ".key"
        return FileManager.default.temporaryDirectory.appendingPathComponent("\(folder)/\(file)").path
    }
}
