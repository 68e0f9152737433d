import ArgumentParser
import Kinfolk

/// A version of a document on the command line: its ID, or the first digits of it.
struct VersionReference: ExpressibleByArgument {
    /// How many digits are shown.
    static let shownDigits = 12
    private static let leastDigits = 4
    private static let allDigits = 32

    private let digits: String

    init?(argument: String) {
        digits = argument.lowercased()
        guard (VersionReference.leastDigits...VersionReference.allDigits).contains(digits.utf8.count),
            digits.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
        else { return nil }
    }

    /// The version that is meant.
    ///
    /// - Parameter versions: Those of a document.
    func version(of versions: [DocumentVersion]) throws(KinfolkError) -> DocumentVersion {
        let found = versions.filter { $0.id.hasPrefix(digits) }
        guard found.count <= 1 else {
            throw KinfolkError(.invalidArgument, "Several versions begin with these digits: give more of them.")
        }
        guard let version = found.first else {
            throw KinfolkError(
                .unknownItem,
                "The document has no such version. \"kinfolk document show\" lists them."
            )
        }
        return version
    }

    /// The document, based on this version. A version that is not kept any more needs all digits.
    func base(of document: Document) throws(KinfolkError) -> Document {
        let isKept = document.versions.contains { $0.id.hasPrefix(digits) }
        guard !isKept && digits.utf8.count == VersionReference.allDigits else {
            return document.based(on: try version(of: document.versions).id)
        }
        return document.based(on: digits)
    }
}
