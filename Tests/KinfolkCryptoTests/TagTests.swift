import KinfolkCrypto
import Testing

@Suite struct TagTests {
    /// Keyed BLAKE2b with 16 bytes of output, key 00 01 … 1f; the answers are those of Python's `hashlib.blake2b`.
    @Test(arguments: [
        (0, "3daf97bce7888fd59773c66bf647459c"),
        (1, "cb0f7736a53974236661585b8842dd8c"),
        (64, "d70096919189ec3b386b4de2e4cf86d4"),
        (255, "89cde4d1b8ea2dd5325db76af38ccb90"),
    ])
    func aTagIsKeyedBlake2bOf128Bits(length: Int, tag: String) throws {
        let key = try TagKey(countingKey())
        #expect(hex(key.tag((0..<length).map { UInt8($0) }).bytes) == tag)
    }

    @Test func manyTagsAtOnceAreTheSameAsOneByOne() throws {
        let key = try TagKey(.random())
        let values = (0..<100).map { [UInt8](repeating: UInt8($0), count: $0) }
        let together = key.withTagger { tag in values.map { $0.withUnsafeBytes(tag) } }
        #expect(together == values.map(key.tag))
        #expect(Set(together).count == 100)
    }

    @Test func anotherKeyGivesAnotherTag() throws {
        let value = Array("the same".utf8)
        #expect(try TagKey(.random()).tag(value) != TagKey(.random()).tag(value))
    }

    @Test(arguments: [0, 15, 17]) func aTagHas16Bytes(length: Int) {
        #expect([UInt8](repeating: 1, count: length).withUnsafeBytes(Tag.init) == nil)
    }

    @Test func aTagReadFromItsBytesIsTheSame() throws {
        let tag = try TagKey(.random()).tag([1, 2, 3])
        #expect(tag.bytes.withUnsafeBytes(Tag.init) == tag)
    }
}

/// The key 00 01 … 1f.
func countingKey() throws -> SecretKey { try [UInt8](0..<32).withUnsafeBytes(SecretKey.init(copying:)) }
