import Foundation
import Kinfolk
import Testing

@Suite("Canonical e-mail: published vectors")
struct CanonicalEmailVectorTests {
    struct Vectors: Decodable {
        struct Valid: Decodable, CustomTestStringConvertible {
            let name: String
            let input: String
            let canonical: String
            let sha256: String
            var testDescription: String { name }
        }

        struct Refused: Decodable, CustomTestStringConvertible {
            let name: String
            let input: String
            let reason: String
            var testDescription: String { name }
        }

        let valid: [Valid]
        let refused: [Refused]

        /// Empty if the file cannot be read, which a test notices.
        static let published: Vectors = {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "canonical-email-vectors.json"
            )
            let vectors = try? JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
            return vectors ?? Vectors(valid: [], refused: [])
        }()
    }

    @Test func theFileOfVectorsIsThere() {
        #expect(Vectors.published.valid.count > 60)
        #expect(Vectors.published.refused.count > 60)
    }

    @Test("has the canonical form and the hash that are published", arguments: Vectors.published.valid)
    func valid(vector: Vectors.Valid) throws {
        let address = try EmailAddress(vector.input)
        // Unicode.Scalar by scalar: two Swift strings are equal even when only one of them is NFC.
        #expect(Array(address.canonical.utf8) == Array(vector.canonical.utf8))
        #expect(address.contactHash.hex == vector.sha256)
        #expect(try Array(EmailAddress(address.canonical).canonical.utf8) == Array(address.canonical.utf8))
    }

    @Test("is refused for the reason that is published", arguments: Vectors.published.refused)
    func refused(vector: Vectors.Refused) throws {
        let fault = try #require(EmailFault(rawValue: vector.reason))
        let error = #expect(throws: KinfolkError.self) { try EmailAddress(vector.input) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.reason == fault.sentence)
    }

    @Test func everyReasonButInvalidUTF8IsShownByAVector() {
        // A Swift string is always valid UTF-8, so JSON cannot show the last.
        let shown = Set(Vectors.published.refused.map(\.reason))
        #expect(Set(EmailFault.allCases.map(\.rawValue)).subtracting(shown) == ["notUTF8"])
    }
}
