import Testing

import TestSupport
@testable import Kinfolk

@Suite("Canonical e-mail: what holds for every address")
struct CanonicalEmailPropertyTests {
    private static let alphabets: [[Unicode.Scalar]] = [
        Array("abcXYZ019.!#$%&'*+-/=?^_`{|}~".unicodeScalars), Array("äöüÄÖÜßẞéÉıİiIñçÇ.-+".unicodeScalars),
        Array("αβγΑΒΓΣσςΐΰ.".unicodeScalars), Array("абвАБВёЁйЙ-".unicodeScalars),
        Array("山田太郎やまだヤマダーﾔﾏﾀﾞ・．".unicodeScalars),
        Array("김민수가각".unicodeScalars) + Array("\u{1100}\u{1161}\u{11A8}".unicodeScalars),
        Array("אבגד\u{5B0}1-".unicodeScalars), Array("محمدعلي١٢٣\u{200C}".unicodeScalars),
        Array("रामक्षि\u{200D}\u{200C}".unicodeScalars), Array("ＡＢＣａｂｃ１２３．＋".unicodeScalars),
        ["a", "e", "o", "s", "\u{301}", "\u{308}", "\u{323}", "\u{307}", "\u{304}", "\u{345}"],
    ]

    private static func text(from alphabet: [Unicode.Scalar], _ generator: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...9, using: &generator) {
            if let scalar = alphabet.randomElement(using: &generator) { text.append(scalar) }
        }
        return String(text)
    }

    /// Whether making an address canonical once more gives the same bytes. (Two Swift strings may be equal and differ in NFC.)
    private static func isStable(_ address: EmailAddress) -> Bool {
        guard let again = try? EmailAddress(address.canonical) else { return false }
        return again.canonical.utf8.elementsEqual(address.canonical.utf8)
    }

    @Test func makingItCanonicalTwiceChangesNothing() {
        var generator = SeededGenerator(seed: 1)
        var accepted = 0
        var unstable: [String] = []
        for _ in 0..<20_000 {
            guard let local = Self.alphabets.randomElement(using: &generator),
                let label = Self.alphabets.randomElement(using: &generator)
            else { continue }
            let input = Self.text(from: local, &generator) + "@" + Self.text(from: label, &generator) + ".Example"
            guard let address = try? EmailAddress(input) else { continue }
            accepted += 1
            if !Self.isStable(address) { unstable.append("\(input.unicodeScalars.map(\.value))") }
        }
        #expect(unstable.isEmpty)
        #expect(accepted > 5_000)
    }

    @Test func everyAcceptedUnicodeCharacterHasAStableCanonicalForm() {
        var accepted = 0
        var unstable: [UInt32] = []
        // The planes above contain only Han characters, and ranges without letters.
        for value in UInt32(0x80)...0x1FFFF
        where !(0x4E80..<0x9F00).contains(value) && !(0xAC80..<0xD700).contains(value) {
            guard let scalar = Unicode.Scalar(value), let address = try? EmailAddress("\(scalar)@example.com") else {
                continue
            }
            accepted += 1
            if !Self.isStable(address) { unstable.append(value) }
        }
        #expect(unstable.isEmpty)
        #expect(accepted > 20_000)
    }

    @Test func theFastPathForPlainLettersGivesTheSameAsTheTables() throws {
        var generator = SeededGenerator(seed: 2)
        let plain = (UInt32(0x80)...0xFFFF).filter(PlainLetters.contains)
        let wrong = try plain.filter { letter in
            // NFC may only join adjacent characters.
            let name = [letter, plain.randomElement(using: &generator) ?? 0x61, letter]
            return try !IdentifierClass.contains(name) || UsernameCaseMapped.normalized(name) != name
        }
        #expect(wrong.isEmpty)
        #expect(plain.count > 30_000)
    }

    @Test func theCaseOfAnASCIIAddressDoesNotMatter() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let local = Self.text(from: Array("abcxyz019!#$%&'*+-/=?^_`{|}~".unicodeScalars), &generator)
            let input = "\(local)@\(local.contains { !$0.isLetter } ? "mail" : local).example"
            #expect(try EmailAddress(input) == EmailAddress(input.uppercased()))
        }
    }

    @Test func theLocalPartAcceptsTheASCIICharactersOfAnAtom() {
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~.".utf8)
        for byte in UInt8(0)..<0x80 {
            let address = Array("a".utf8) + [byte] + Array("a@example.com".utf8)
            #expect(((try? CanonicalEmail(address.span)) != nil) == allowed.contains(byte), "\(byte)")
        }
    }

    @Test func aDomainAcceptsASCIILettersDigitsAndHyphens() {
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.".utf8)
        for byte in UInt8(0)..<0x80 {
            let address = Array("a@a".utf8) + [byte] + Array("a.example".utf8)
            #expect(((try? CanonicalEmail(address.span)) != nil) == allowed.contains(byte) || byte == 0x40, "\(byte)")
        }
    }

    @Test func fullWidthCharactersGiveTheSameAddress() throws {
        let plain = "ada.lovelace+notes_1@mail-2.example.com"
        var wide = String.UnicodeScalarView()
        for scalar in plain.unicodeScalars {
            wide.append(Unicode.Scalar(scalar.value - 0x21 + 0xFF01) ?? scalar)
        }
        #expect(try EmailAddress(String(wide)) == EmailAddress(plain))
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] {
            let local = bytes + Array("@example.com".utf8)
            #expect(throws: EmailFault.notUTF8) { try CanonicalEmail(local.span) }
            let domain = Array("ada@".utf8) + bytes + Array(".example".utf8)
            #expect(throws: EmailFault.malformedDomain) { try CanonicalEmail(domain.span) }
        }
    }

    @Test func noBytesTrap() {
        var generator = SeededGenerator(seed: 4)
        let interesting: [UInt8] = [
            0, 9, 10, 13, 32, 34, 45, 46, 64, 91, 0x80, 0xA0, 0xBC, 0xC2, 0xE3, 0xEF, 0xF0, 0xFF, 97,
        ]
        for _ in 0..<50_000 {
            let bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                interesting.randomElement(using: &generator) ?? 0
            }
            _ = try? CanonicalEmail(bytes.span)
        }
    }

    @Test func aVeryLongTextIsRefusedAtOnce() {
        let long = String(repeating: "a", count: 10_000_000) + "@example.com"
        #expect(throws: KinfolkError.self) { try EmailAddress(long) }
        #expect(throws: KinfolkError.self) {
            try EmailAddress("ada@" + String(repeating: "ü", count: 500) + ".example")
        }
    }
}
