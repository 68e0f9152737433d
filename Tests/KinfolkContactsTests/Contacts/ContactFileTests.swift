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
    func theFormatIsDetectedFromTheContent(name: String) throws {
        let (_, report) = try ContactFixture.read(name)
        let formats: [String: ContactFormat] = [
            "vcf": .vCard, "csv": .csv, "ldif": .ldif, "json": .jCard, "txt": .list,
        ]
        let expected = try #require(formats[String(name.split(separator: ".").last ?? "")])
        #expect(report.format == expected)
        #expect(report.added > 0)
    }

    @Test func theFormatIsDetectedAfterAnyBeginning() throws {
        #expect(try read(Array("\n\n  \nBEGIN:VCARD\nEMAIL:a@example.com\nEND:VCARD".utf8)) == (.vCard, 1))
        #expect(try read(Array("mail\na@example.com\n".utf8)) == (.csv, 1))
        #expect(try read(Array("oops\na@example.com\n".utf8)) == (.list, 1))
        #expect(try read(Array("# mine\nAda, Countess <a@example.com>\n".utf8)) == (.list, 1))
        #expect(try read(Array(String(repeating: "0a", count: 32).utf8)) == (.list, 1))
        #expect(try read([]) == (.list, 0))
    }

    @Test func everyFormatMayBeginWithAByteOrderMark() throws {
        for name in ContactFixture.names {
            let bytes = try ContactFixture.bytes(name)
            let (book, report) = try ContactFixture.read(name)
            // One fixture is UTF-16, and has a byte-order mark already.
            guard bytes.first != 0xFF else { continue }
            try ContactFixture.withFile([0xEF, 0xBB, 0xBF] + bytes) { path in
                var marked = ContactBook()
                let again = try marked.add(contentsOfFile: path)
                #expect(again.format == report.format, "\(name)")
                #expect(marked.entries == book.entries, "\(name)")
            }
        }
    }

    @Test func aFileIsAListIfNearlyEveryLineIsAnAddress() throws {
        func lines(_ addresses: Int, _ others: Int) -> [UInt8] {
            let text = (0..<addresses).map { "p\($0)@example.com" } + (0..<others).map { "line \($0)" }
            return Array(text.joined(separator: "\n").utf8)
        }
        #expect(try read(lines(1, 1)) == (.list, 1))
        #expect(try read(lines(18, 2)) == (.list, 18))
        #expect(throws: KinfolkError.self) { try read(lines(17, 3)) }
        #expect(throws: KinfolkError.self) { try read(lines(1, 2)) }
        #expect(throws: KinfolkError.self) { try read(lines(0, 1)) }
    }

    @Test func theLinesOfAListThatAreNoAddressesAreReported() throws {
        let text = "My friends\n" + (0..<20).map { "p\($0)@example.com\n" }.joined() + "somebody\n"
        try ContactFixture.withFile(Array(text.utf8)) { path in
            var book = ContactBook()
            let report = try book.add(contentsOfFile: path)
            #expect(report.skips == ["1:noAtSign", "22:noAtSign"])
        }
    }

    @Test func addressesOnOneLineAreAllRead() throws {
        #expect(try read(Array("a@example.com, b@example.com; c@example.org".utf8)) == (.list, 3))
        #expect(try read(Array("a@example.com,b@example.com\nc@example.org,d@example.org\n".utf8)) == (.list, 4))
        #expect(
            try read(Array("Ada <a@example.com>, Lovelace, Ada <b@example.com>; c@example.org;".utf8)) == (.list, 3)
        )
    }

    @Test func aLongLineOfAddressesIsReadUpToTheLimit() throws {
        let text = (0..<6_000).map { "person\($0)@example.com" }.joined(separator: ", ")
        try ContactFixture.withFile(Array(text.utf8)) { path in
            var book = ContactBook()
            let report = try book.add(contentsOfFile: path)
            #expect(report.format == .list)
            #expect(report.skips == ["1:valueTooLong"])
            #expect(book.count > 2_000)
            for index in 0..<book.count {
                #expect(book.hash(at: index) == (try EmailAddress("person\(index)@example.com").contactHash))
            }
        }
    }

    /// An earlier version read each of these as a list, and made hashes of addresses that nobody has.
    @Test func aFileThatOnlyContainsSomeAddressesIsNoList() throws {
        let texts = [
            "mail=ada@example.com\n", "email=ada@example.com\nemail=ben@example.com\n",
            "name=Ada\nemail=ada@example.com\n", "Dear Ada,\nwrite to ben@example.com\nBen\n",
            "[person]\nname=Ada\nemail=ada@example.com\n\n[person]\nname=Ben\nemail=ben@example.com\n",
        ]
        for text in texts {
            let error = #expect(throws: KinfolkError.self, "\(text)") { try read(Array(text.utf8)) }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test func aFileOfAnUnknownFormatIsRefusedWithTheExpectedFormats() throws {
        for bytes in [Array("Dear Ada,\n".utf8), [0, 0, 0, 0]] {
            let error = #expect(throws: KinfolkError.self) { try read(bytes) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.reason.contains("vCard, jCard or LDIF") == true)
        }
    }

    @Test(arguments: [
        (
            "# abook addressbook file\n\n[format]\nprogram=abook\nversion=0.6.1\n\n[0]\nname=Ada\nemail=ada@example.com\n",
            "abook"
        ),
        ("[format]\nprogram=abook\n[0]\nemail=ada@example.com\n", "--outformat vcard"),
        ("alias ada Ada Lovelace <ada@example.com>\nalias ben ben@example.com\n", "Mutt"),
        ("# mine\nalias -group friends ada ada@example.com # me\n", "Mutt"),
        ("BEGIN:VCALENDAR\r\nATTENDEE:mailto:ada@example.com\r\nEND:VCALENDAR\r\n", "calendar"),
        ("<!DOCTYPE html>\n<p>ada@example.com</p>\n", "web page"), ("<?xml version=\"1.0\"?>\n<a/>\n", "XML"),
        ("PK\u{3}\u{4}\u{14}", "CSV"), ("%PDF-1.7\n", "PDF"), ("SQLite format 3\u{0}\u{10}", "SQLite"),
        ("// <!-- <mdb:mork:z v=\"1.4\"/> -->\n< <(a=c)> >\n", "Thunderbird"), ("{\\rtf1 ada@example.com}\n", "RTF"),
        ("{\"people\": [{\"email\": \"ada@example.com\"}]}\n", "JSON"),
        ("[\n  {\"email\": \"ada@example.com\"}\n]\n", "JSON"),
        ("bplist00\u{1}", "property list"), ("From ada@example.com Mon Jan  1\nSubject: x\n\nHello\n", "mailbox"),
        ("!BDN", "Outlook"), ("GIF89a", "image"), ("BZh9", "Unpack"),
    ])
    func filesOfOtherKindsAreRefusedByName(_ text: String, _ name: String) throws {
        let error = #expect(throws: KinfolkError.self) { try read(Array(text.utf8)) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.reason.contains(name) == true, "\(error?.reason ?? "")")
        #expect(error?.reason.contains("@") == false)
    }

    @Test func aListMayBeginLikeAnotherFormat() throws {
        #expect(try read(Array("From Ada <ada@example.com>\n".utf8)) == (.list, 1))
        #expect(try read(Array("{ada}@example.com\n".utf8)) == (.list, 1))
        #expect(try read(Array("Alias Smith <ada@example.com>\n".utf8)) == (.list, 1))
    }

    @Test func aMissingFileIsUnknown() throws {
        for path in ["/nonexistent/contacts.vcf", "/dev/null/contacts.vcf", String(repeating: "x", count: 10_000)] {
            var book = ContactBook()
            let error = #expect(throws: KinfolkError.self) { try book.add(contentsOfFile: path) }
            #expect(error?.code == .unknownItem)
        }
    }

    @Test(arguments: ["", "a\u{0}b", "/"])
    func aPathOfAFolderIsInvalid(path: String) throws {
        var book = ContactBook()
        let error = #expect(throws: KinfolkError.self) { try book.add(contentsOfFile: path) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read every file"))
    func anUnreadableFileIsAPermissionFailure() throws {
        try ContactFixture.withFile(Array("a@example.com".utf8)) { path in
            #expect(chmod(path, 0) == 0)
            var book = ContactBook()
            let error = #expect(throws: KinfolkError.self) { try book.add(contentsOfFile: path) }
            #expect(error?.code == .permissionFailure)
        }
    }

    @Test func aFileLongerThanOnePieceIsReadCompletely() throws {
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
