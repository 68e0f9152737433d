import Foundation
import Glibc
import KinfolkCrypto
import Testing

@Suite struct SecretMemoryTests {
    /// The entry of `/proc/self/smaps` for the memory of these bytes.
    private func mapping(of bytes: UnsafeRawBufferPointer) throws -> String {
        let address = UInt(bitPattern: bytes.baseAddress)
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        var found = ""
        var isInside = false
        for line in maps.split(separator: "\n") {
            let bounds =
                line.split(separator: " ").first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
            if bounds.count == 2 { isInside = (bounds[0]..<bounds[1]).contains(address) }
            if isInside { found += line + "\n" }
        }
        return found
    }

    /// A sanitizer makes `mlock` do nothing.
    private static let canLock = dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil

    @Test(.enabled(if: canLock)) func aSecretIsNeitherSwappedNorDumped() throws {
        let secret = try SecretBytes(count: 32, fill: SecureRandom.fill)
        let mapping = try secret.withUnsafeBytes(mapping)
        let flags = mapping.split(separator: "\n").first { $0.hasPrefix("VmFlags:") }?.split(separator: " ") ?? []
        #expect(flags.contains("lo"), "locked")
        #expect(flags.contains("dd"), "left out of core dumps")
        #expect(!flags.contains("wr"), "written once")
    }

    @Test func ordinaryMemoryIsSwappedAndDumped() throws {
        // The check itself works.
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        let mapping = try bytes.withUnsafeBytes(mapping)
        #expect(mapping.contains("VmFlags:"))
        #expect(!mapping.contains(" lo") && !mapping.contains(" dd"))
    }

    @Test func aPassphraseGivesTheSameKeyWithTheSameSaltOnly() throws {
        let text = try Array("correct horse".utf8).withUnsafeBytes(SecretBytes.init(copying:))
        let passphrase = Passphrase()
        let again = try #require(Passphrase(bytes: passphrase.bytes))
        #expect(try passphrase.key(from: text).equals(again.key(from: text)))
        #expect(try !passphrase.key(from: text).equals(Passphrase().key(from: text)))
        #expect(Passphrase(bytes: Array(passphrase.bytes.dropLast())) == nil)
        #expect(Passphrase(bytes: passphrase.bytes.prefix(16) + [0, 0, 0, 0, 0, 0, 4, 0]) == nil)
    }
}
