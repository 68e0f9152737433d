/// A file that an export or an import of documents has left out.
public struct DocumentSkip: Sendable, Hashable {
    /// Why a file was left out. The numbers do not change between versions.
    public enum Reason: Int32, Sendable, Hashable, CaseIterable {
        /// It is a symbolic link, which is not followed.
        case link = 1
        /// It is a device, a pipe or a socket.
        case specialFile = 2
        /// Its name is not UTF-8, has control characters, or cannot be a name in the file system.
        case malformedName = 3
        /// Its path has too many names or too many bytes. What is in such a folder is left out too.
        case malformedPath = 4
        /// The file system does not let it be read.
        case notReadable = 5
        /// It was changed or deleted at the same time.
        case changed = 6
        /// It is larger than an asset of the container may be.
        case tooLarge = 7
        /// Something else has its name: a folder where a file should be, a file where a folder should be, or another document.
        case nameTaken = 8
        /// The document has as many conflicts as it may have.
        case tooManyConflicts = 9
        /// It is a file of the store or of its key.
        case inUse = 10
    }

    /// The path of the file below the folder of the export or import. Bytes that are not UTF-8 are U+FFFD.
    public let path: String

    /// Why it was left out.
    public let reason: Reason

    package init(_ path: String, _ reason: Reason) { (self.path, self.reason) = (path, reason) }
}

extension DocumentSkip.Reason {
    /// One sentence for a person.
    public var sentence: String {
        switch self {
        case .link: "It is a symbolic link."
        case .specialFile: "It is a device, a pipe or a socket."
        case .malformedName: "Its name is not UTF-8, has control characters or cannot be used."
        case .malformedPath: "Its path has too many names or bytes."
        case .notReadable: "It may not be read."
        case .changed: "It was changed or deleted at the same time."
        case .tooLarge: "It is larger than an asset may be."
        case .nameTaken: "Something else has its name."
        case .tooManyConflicts: "The document has too many conflicts."
        case .inUse: "It is a file of the store."
        }
    }
}

extension DocumentSkip: Redacted {
    /// The reason.
    public var description: String { "DocumentSkip(\(reason))" }
}
