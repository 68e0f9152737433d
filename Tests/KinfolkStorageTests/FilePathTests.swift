import KinfolkFiles
import KinfolkStorage
import Testing

@Suite struct FilePathTests {
    private let latin = FilePath(bytes: Array("/tmp/caf".utf8) + [0xE9])

    @Test func bytesOfAPathAreKept() {
        #expect(latin.bytes == Array("/tmp/caf".utf8) + [0xE9])
        #expect((latin + ".key").bytes == latin.bytes + Array(".key".utf8))
        #expect(FilePath(cString: latin.cString) == latin)
        #expect(latin.cString.last == 0)
        #expect(latin.absolute == latin)
    }

    @Test func onlyAPathInUTF8HasAText() {
        #expect(latin.text == nil)
        #expect(latin.shown == "/tmp/caf\u{FFFD}")
        #expect(FilePath("café").text == "café")
    }

    @Test(arguments: [
        ("kinfolk.db", "./", 10), ("/kinfolk.db", "/", 10), ("/a/b/kinfolk", "/a/b/", 7), ("/a/", "/a/", 0),
        // A slash and a combining mark are one character of a text.
        ("a/\u{301}b", "a/", 3),
    ])
    func aPathIsAFolderAndAName(path: String, folder: String, length: Int) {
        #expect(FilePath(path).folder == FilePath(folder))
        #expect(FilePath(path).nameLength == length)
    }

    @Test func anEmptyPathOrANULIsNoPath() {
        #expect(!FilePath("").isValid)
        #expect(!FilePath("a\0b").isValid)
        #expect(latin.isValid)
    }

    @Test func prefixesAndSuffixesAreComparedByBytes() {
        #expect(FilePath("kinfolk.db").hasSuffix(".db"))
        #expect(!FilePath("b").hasSuffix(".db"))
        #expect(FilePath("postgresql://a").hasPrefix("postgresql://"))
        #expect(FilePath("kinfolk.db").dropLast(3) == FilePath("kinfolk"))
        #expect(FilePath("kinfolk.db").absolute.bytes.first == UInt8(ascii: "/"))
        #expect(
            FilePath("/a/kinfolk.key.1").named(asIfBeside: FilePath("b/kinfolk.key")) == FilePath("b/kinfolk.key.1")
        )
        #expect(FilePath("/a/kinfolk.key.1").named(asIfBeside: FilePath("kinfolk.key")) == FilePath("kinfolk.key.1"))
    }
}
