import Foundation
import Testing

@testable import Kinfolk

@Suite("Canonical e-mail: published vectors")
struct CanonicalEmailVectorTests {
    struct Vectors: Codable {
        struct Valid: Codable, CustomTestStringConvertible {
            let name: String
            let input: String
            let canonical: String
            let sha256: String
            var testDescription: String { name }
        }

        struct Refused: Codable, CustomTestStringConvertible {
            let name: String
            let input: String
            let reason: String
            var testDescription: String { name }
        }

        let specification: String
        let valid: [Valid]
        let refused: [Refused]

        /// Empty if the file cannot be read. A test checks that.
        static let published: Vectors = {
            let vectors = try? JSONDecoder().decode(Vectors.self, from: Data(contentsOf: CanonicalEmailVectors.path))
            return vectors ?? Vectors(specification: "", valid: [], refused: [])
        }()
    }

    @Test func theFileOfVectorsExists() {
        #expect(Vectors.published.valid.count > 500)
        #expect(Vectors.published.refused.count > 500)
    }

    /// `make vectors` writes the file: it keeps the vectors that were chosen by hand, and generates the others.
    @Test func theFileMatchesTheLibrary() throws {
        let isMade = { (name: String) in name.hasPrefix(CanonicalEmailVectors.madeName) }
        let published = Vectors.published
        var valid = published.valid.filter { !isMade($0.name) }
        var refused = published.refused.filter { !isMade($0.name) }
        for (name, input) in CanonicalEmailVectors.spellings() {
            do throws(EmailFault) {
                let address = EmailAddress(try CanonicalEmail(input.utf8.span))
                valid.append(
                    .init(name: name, input: input, canonical: address.canonical, sha256: address.contactHash.hex)
                )
            } catch {
                refused.append(.init(name: name, input: input, reason: error.rawValue))
            }
        }
        guard ProcessInfo.processInfo.environment["KINFOLK_WRITE_VECTORS"] == nil else {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let vectors = Vectors(specification: published.specification, valid: valid, refused: refused)
            return try encoder.encode(vectors).write(to: CanonicalEmailVectors.path)
        }
        #expect(valid.map(\.name) == published.valid.map(\.name))
        #expect(refused.map(\.name) == published.refused.map(\.name))
        #expect(refused.map(\.reason) == published.refused.map(\.reason))
        #expect(valid.map(\.sha256) == published.valid.map(\.sha256))
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

    @Test func everyReasonExceptInvalidUTF8HasAVector() {
        // A Swift string is always valid UTF-8, so JSON cannot contain a vector for the last reason.
        let shown = Set(Vectors.published.refused.map(\.reason))
        #expect(Set(EmailFault.allCases.map(\.rawValue)).subtracting(shown) == ["notUTF8"])
    }
}
