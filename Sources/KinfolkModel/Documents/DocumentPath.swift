/// The paths of documents and folders.
package enum DocumentPath {
    /// The most bytes of a path, in UTF-8.
    package static let maximumLength = 1_024
    /// The most bytes of a name in it: that of Linux file systems.
    package static let maximumNameLength = 255
    /// The most names in it.
    package static let maximumDepth = 32

    package static let slash = UInt8(ascii: "/")

    /// Throws unless `path` can be that of a document or a folder.
    package static func validate(_ path: String) throws(KinfolkError) {
        guard path.utf8.count <= maximumLength else {
            throw KinfolkError(.invalidArgument, "The path of a document has at most \(maximumLength) bytes.")
        }
        // Control characters would change what a terminal shows.
        guard !path.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) }) else {
            throw KinfolkError(.invalidArgument, "The path of a document has no control characters.")
        }
        let names = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
        guard names.count <= maximumDepth else {
            throw KinfolkError(.invalidArgument, "The path of a document has at most \(maximumDepth) names.")
        }
        for name in names {
            guard !name.isEmpty else {
                throw KinfolkError(
                    .invalidArgument,
                    "The path of a document does not begin or end with /, and has no empty names."
                )
            }
            guard name.count <= maximumNameLength else {
                throw KinfolkError(
                    .invalidArgument,
                    "A name in the path of a document has at most \(maximumNameLength) bytes."
                )
            }
            guard !name.elementsEqual([0x2e]), !name.elementsEqual([0x2e, 0x2e]) else {
                throw KinfolkError(.invalidArgument, "The path of a document does not contain the names . and ..")
            }
        }
    }

    /// The paths of the folders that a path is in, from the outermost on.
    package static func folders(of path: String) -> [String] {
        path.utf8.indices.filter { path.utf8[$0] == slash }.map { String(path[..<$0]) }
    }
}
