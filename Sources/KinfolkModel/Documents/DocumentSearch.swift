/// What documents are looked for. All conditions must hold; without conditions, all documents are found.
///
/// ```swift
/// var search = DocumentSearch()
/// search.name = "*.txt"
/// search.folder = "notes"
/// ```
public struct DocumentSearch: Sendable {
    /// The name of the document, in which `*` stands for any characters and `?` for one (a Unicode scalar value). Upper and lower case
    /// differ, and so do normalization forms. Nil for any name.
    public var name: String?

    /// How the name of the document begins; nil for any name. `*` and `?` stand for themselves.
    public var namePrefix: String?

    /// The path of the folder in which the document is, at any depth; nil for all folders.
    public var folder: String?

    /// Only documents that are in ``folder`` itself, or in no folder without it.
    public var isShallow = false

    /// Only documents that were saved, moved or changed in another way at this time or later.
    public var modifiedSince: Timestamp?

    /// Only documents that were last changed before this time.
    public var modifiedBefore: Timestamp?

    /// Only documents with unresolved conflicts.
    public var hasConflicts = false

    /// A search without conditions.
    public init() {}

    /// - Throws: ``KinfolkError/Code/invalidArgument`` if a name or the path of the folder is malformed.
    package func validate() throws(KinfolkError) {
        for text in [name, namePrefix].compactMap(\.self) {
            guard text.utf8.count <= DocumentPath.maximumLength else {
                throw KinfolkError(
                    .invalidArgument,
                    "A name to search for has at most \(DocumentPath.maximumLength) bytes."
                )
            }
        }
        if let folder { try DocumentPath.validate(folder) }
    }

    /// Whether a document satisfies the conditions.
    package func matches(_ document: Document) -> Bool {
        if hasConflicts, document.conflicts.isEmpty { return false }
        if let modifiedSince, document.modifiedAt < modifiedSince { return false }
        if let modifiedBefore, document.modifiedAt >= modifiedBefore { return false }
        if let folder {
            let start = Array(folder.utf8) + [DocumentPath.slash]
            guard document.path.utf8.starts(with: start) else { return false }
        }
        if isShallow, !document.folder.utf8.elementsEqual((folder ?? "").utf8) { return false }
        if let namePrefix, !document.name.utf8.starts(with: namePrefix.utf8) { return false }
        return name.map { DocumentSearch.matches(Array(document.name.unicodeScalars), Array($0.unicodeScalars)) }
            ?? true
    }

    /// Whether a text has the form of a pattern. After a `*`, only the last `*` is tried again, so the work is at most the product of the two
    /// lengths.
    private static func matches(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
        var (position, next) = (0, 0)
        /// The position after the last `*` of the pattern, and where the text goes on after what the `*` stands for.
        var star: (after: Int, text: Int)?
        while position < text.count {
            if next < pattern.count, pattern[next] == "*" {
                next += 1
                star = (next, position)
            } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[position] {
                (position, next) = (position + 1, next + 1)
            } else if let last = star {
                star = (last.after, last.text + 1)
                (position, next) = (last.text + 1, last.after)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == "*" }
    }
}

extension DocumentSearch: Redacted {}
