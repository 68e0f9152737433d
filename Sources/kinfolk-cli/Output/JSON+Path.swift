import KinfolkFiles
import KinfolkJSON

extension JSON {
    /// The path of a file, or null. JSON has no bytes: bytes that are not UTF-8 are shown as U+FFFD.
    static func path(_ path: FilePath?) -> JSON { path.map { .string($0.shown) } ?? .null }
}
