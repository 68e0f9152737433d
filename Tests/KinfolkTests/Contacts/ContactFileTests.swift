import Foundation
import Kinfolk
import Testing

@Suite("Contact files")
struct ContactFileTests {
    private func read(_ bytes: [UInt8]) throws -> (format: ContactFormat, count: Int) {
        try ContactFixture.withFile(bytes) { path in
            var book = ContactBook()
            let report = try book.add(contentsOfFile: path)
            return (report.format, book.count)
        }
    }

    @Test(arguments: ContactFixture.names)
    func theFormatIsToldByTheContent(name: String) throws {
        let (_, report) = try ContactFixture.read(name)
        let expected: ContactFormat = name.hasSuffix(".vcf") ? .vCard : name.hasSuffix(".csv") ? .csv : .list
        #expect(report.format == expected)
        #expect(report.added > 0)
    }

    @Test func theFormatIsToldWhateverComesFirst() throws {
        #expect(try read(Array("\n\n  \nBEGIN:VCARD\nEMAIL:a@example.com\nEND:VCARD".utf8)) == (.vCard, 1))
        #expect(try read(Array("mail\na@example.com\n".utf8)) == (.csv, 1))
        #expect(try read(Array("oops\na@example.com\n".utf8)) == (.list, 1))
        #expect(try read(Array("# mine\nAda, Countess <a@example.com>\n".utf8)) == (.list, 1))
        #expect(try read(Array(String(repeating: "0a", count: 32).utf8)) == (.list, 1))
        #expect(try read([]) == (.list, 0))
    }

    @Test func aFileOfNoneOfTheseKindsSaysWhatWasExpected() throws {
        let images: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13], Array("PK\u{3}\u{4}".utf8),
            Array("Dear Ada,\n".utf8), [0, 0, 0, 0],
        ]
        for bytes in images {
            let error = #expect(throws: KinfolkError.self) { try read(bytes) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.reason.contains("vCard") == true)
        }
    }

    @Test func aFileThatIsNotThereIsUnknown() throws {
        for path in ["/nonexistent/contacts.vcf", "/dev/null/contacts.vcf", String(repeating: "x", count: 10_000)] {
            var book = ContactBook()
            let error = #expect(throws: KinfolkError.self) { try book.add(contentsOfFile: path) }
            #expect(error?.code == .unknownItem)
        }
    }

    @Test(arguments: ["", "a\u{0}b", "/"])
    func aPathThatIsNoFileIsInvalid(path: String) throws {
        var book = ContactBook()
        let error = #expect(throws: KinfolkError.self) { try book.add(contentsOfFile: path) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read every file"))
    func aFileThatMayNotBeReadIsAPermissionFailure() throws {
        try ContactFixture.withFile(Array("a@example.com".utf8)) { path in
            #expect(chmod(path, 0) == 0)
            var book = ContactBook()
            let error = #expect(throws: KinfolkError.self) { try book.add(contentsOfFile: path) }
            #expect(error?.code == .permissionFailure)
        }
    }

    @Test func aFileLongerThanThePieceItIsReadInIsReadWhole() throws {
        var text = ""
        for index in 0..<40_000 { text += "Person \(index) <person\(index)@example.com>\r\n" }
        try ContactFixture.withFile(Array(text.utf8)) { path in
            var book = ContactBook()
            var progress: [Int] = []
            try book.add(contentsOfFile: path) { bytesRead, byteCount in
                progress.append(bytesRead)
                #expect(byteCount == text.utf8.count)
            }
            #expect(book.count == 40_000)
            #expect(book.label(at: 39_999) == "Person 39999")
            #expect(progress.count > 3)
            #expect(progress.last == text.utf8.count)
            #expect(progress == progress.sorted())
        }
    }

    @Test func aPipeIsReadToItsEnd() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "kinfolk-pipe-\(UUID().uuidString)").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let text = Array(String(repeating: "a@example.com\n", count: 50_000).utf8)
        Thread.detachNewThread {
            let descriptor = open(path, O_WRONLY)
            for start in stride(from: 0, to: text.count, by: 1_000) {
                text[start..<min(start + 1_000, text.count)].withUnsafeBytes {
                    _ = write(descriptor, $0.baseAddress, $0.count)
                }
            }
            close(descriptor)
        }
        var book = ContactBook()
        try book.add(contentsOfFile: path)
        #expect(book.count == 50_000)
    }
}
