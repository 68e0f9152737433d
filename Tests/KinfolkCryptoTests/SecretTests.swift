import KinfolkCrypto
import Testing

@Suite struct SecretTests {
    @Test func aSecretIsNotPrintable() throws {
        let content = Array("correct horse battery staple".utf8)
        let secret = try content.withUnsafeBytes(SecretBytes.init(copying:))
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(describing: secret), String(reflecting: secret), dumped] {
            #expect(!text.contains("horse"))
            #expect(!text.contains("\(content[0]), \(content[1])"))
        }
        #expect("\(secret)" == "SecretBytes(28 bytes)")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func aKeyIsNotPrintable() throws {
        let key = try countingKey()
        var dumped = ""
        dump(key, to: &dumped)
        for text in [
            "\(key)", String(reflecting: key), dumped, "\(TagKey(key))", String(reflecting: try SealingKey(key)),
        ] {
            #expect(!text.contains("1, 2, 3"))
            #expect(!text.contains("010203"))
        }
    }

    @Test func aSecretKeepsItsBytes() throws {
        let content: [UInt8] = [0, 1, 254, 255]
        let secret = try content.withUnsafeBytes(SecretBytes.init(copying:))
        #expect(secret.withUnsafeBytes(Array.init) == content)
    }

    @Test func secretsAreEqualWhenTheirBytesAre() throws {
        let secret = try [UInt8]([1, 2, 3]).withUnsafeBytes(SecretBytes.init(copying:))
        #expect([UInt8]([1, 2, 3]).withUnsafeBytes(secret.equals))
        for other in [[], [1, 2], [1, 2, 4], [0, 2, 3], [1, 2, 3, 4]] as [[UInt8]] {
            #expect(!other.withUnsafeBytes(secret.equals))
        }
        let empty = try [UInt8]().withUnsafeBytes(SecretBytes.init(copying:))
        #expect([UInt8]().withUnsafeBytes(empty.equals))
    }

    @Test(arguments: [0, 16, 31, 33, 64]) func aKeyHas32Bytes(length: Int) {
        #expect(throws: CryptoError.self) {
            try [UInt8](repeating: 1, count: length).withUnsafeBytes(SecretKey.init(copying:))
        }
    }

    /// libsodium's KDF is BLAKE2b with the number as salt and the purpose as personalisation; the answers are those of
    /// Python's `hashlib.blake2b`.
    @Test(arguments: [
        (UInt64(1), "edfa5052fcf43fca85efd74ee979cf46779121c2c0edf1480cf2648e6af111fa"),
        (UInt64(2), "130852612502e9840759e69fc4c82622c00450b38bfd32e26b84e9958b51023b"),
    ])
    func keysAreDerivedWithLibsodiumsKDF(number: UInt64, derived: String) throws {
        #expect(hex(try countingKey().derive("kinfmail", number).withUnsafeBytes(Array.init)) == derived)
    }

    @Test func keysForTwoPurposesDiffer() throws {
        let key = try countingKey()
        #expect(try !key.derive("kinfmail").equals(key.derive("kinfcode")))
        #expect(try key.derive("kinfmail").equals(key.derive("kinfmail")))
        #expect(throws: CryptoError.self) { try key.derive("short") }
        #expect(throws: CryptoError.self) { try key.derive("much too long") }
    }

    @Test func randomBytesDiffer() {
        #expect(Set((0..<1_000).map { _ in SecureRandom.bytes(16) }).count == 1_000)
        #expect(SecureRandom.bytes(0).isEmpty)
    }

    @Test func randomNumbersAreBelowTheirBoundAndReachAllBelowIt() {
        let numbers = (0..<2_000).map { _ in SecureRandom.number(below: 10) }
        #expect(Set(numbers) == Set(0..<10))
    }

    @Test func wipingLeavesZeros() {
        var bytes: [UInt8] = [1, 2, 3]
        bytes.withUnsafeMutableBytes(wipe)
        #expect(bytes == [0, 0, 0])
    }

    @Test func bytesAreEqualInConstantTimeWhenTheyAreEqual() {
        #expect(ConstantTime.equal([], []))
        #expect(ConstantTime.equal([1, 2], [1, 2]))
        #expect(!ConstantTime.equal([1, 2], [1, 3]))
        #expect(!ConstantTime.equal([1, 2], [1]))
        #expect(!ConstantTime.equal([], [0]))
    }
}
