import Foundation
import Kinfolk
import Testing

/// The fixtures of the tests: exports as phones and mail programs write them, of invented people.
enum ContactFixture {
    static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    static let names = [
        "agent.vcf", "android.vcf", "broken.vcf", "docomo.vcf", "ios.vcf", "outlook.vcf", "version4.vcf",
        "google-old.csv", "google.csv", "headless.csv", "linkedin.csv", "outlook.csv", "semicolon.csv", "tabs.csv",
        "thunderbird.csv", "list.txt", "joined.vcf", "one-line.txt", "thunderbird.ldif", "directory.ldif", "card.json",
        "cards.json",
    ]

    static func path(_ name: String) -> String { directory.appending(path: name).path }

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: directory.appending(path: name)))
    }

    static func read(_ name: String) throws -> (book: ContactBook, report: ContactImport) {
        var book = ContactBook()
        let report = try book.add(contentsOfFile: path(name))
        return (book, report)
    }

    /// Runs `body` with the path of a new file with these bytes.
    static func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "kinfolk-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }
}

extension ContactBook {
    /// A contact as a test writes it.
    struct Entry: Equatable, CustomStringConvertible {
        let hash: ContactHash
        let label: String

        init(_ email: String, _ label: String = "") throws {
            hash = try EmailAddress(email).contactHash
            self.label = label
        }

        init(hash: ContactHash, label: String) {
            self.hash = hash
            self.label = label
        }

        var description: String { "\(hash.hex.prefix(8)) “\(label)”" }
    }

    var entries: [Entry] {
        (0..<count).compactMap { index in
            hash(at: index).map { Entry(hash: $0, label: label(at: index)) }
        }
    }
}

extension ContactImport {
    /// The line and the reason's name of each skip, as `line:name`.
    var skips: [String] { skipped.map { "\($0.line):\($0.reason.name)" } }
}
