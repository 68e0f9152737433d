import Kinfolk
import KinfolkModel
import TestSupport
import Testing

@testable import KinfolkRecords

/// The words of texts, as SEARCHABLE indexes find them.
@Suite struct WordTests {
    private func words(_ text: String) -> Set<String> {
        Set(Word.all(in: text).map { String(decoding: $0.bytes, as: UTF8.self) })
    }

    /// Compared by their scalars: equality of strings does not see a normalisation.
    private func scalars(_ words: Set<String>) -> Set<[UInt32]> { Set(words.map { $0.unicodeScalars.map(\.value) }) }

    @Test(arguments: [
        ("Don't stop: 3.14 foo_bar e-mail", ["don't", "stop", "3.14", "foo_bar", "e", "mail"]),
        ("mail user@example.com, a.b.c", ["mail", "user", "example.com", "a.b.c"]),
        // Each ideograph and each hiragana letter is a word; katakana stays together.
        ("東京タワーへよ", ["東", "京", "タワー", "へ", "よ"]),
        // Each letter of Thai is a word, with its marks.
        ("ภาษาง่าย", ["ภ", "า", "ษ", "ง่", "ย"]),
        ("Straße ΛΌΓΟΣ λόγος", ["strasse", "λόγοσ"]),
        ("안녕하세요 세계", ["안녕하세요", "세계"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("עברית \"שלום\"", ["עברית", "שלום"]),
        ("العربية ١٢٣", ["العربية", "١٢٣"]),
        ("ქართული ენა", ["ქართული", "ენა"]),
        ("Ελληνικά Русский հայերեն", ["ελληνικά", "русский", "հայերեն"]),
        ("ⅷ ² ½", ["ⅷ", "²", "½"]),
    ]) func segmentsFollowUnicode(text: String, expected: [String]) {
        // Hangul and accents are decomposed.
        #expect(words(text) == Set(expected))
        #expect(scalars(words(text)) == scalars(Set(expected.map { $0.decomposed })))
    }

    @Test func theNormalisationOfATextDoesNotMatter() {
        #expect(Word.all(in: "Caf\u{e9} \u{1E69}") == Word.all(in: "CAFE\u{301} s\u{307}\u{323}"))
        #expect(Word.all(in: "café") != Word.all(in: "cafe"))
    }

    @Test(arguments: ["", " ", "… — !?", "\0", "\u{301}", "👩‍👩‍👧 🇩🇪", "_"]) func someTextsHaveNoWords(text: String) {
        #expect(words(text) == [])
    }

    @Test func aNULSeparatesWords() { #expect(words("a\0b") == ["a", "b"]) }

    @Test func longWordsAreCutBetweenScalars() throws {
        let cut = try #require(Word.all(in: String(repeating: "x", count: 300)).first)
        #expect(cut.bytes.count == 255)
        #expect(Word.all(in: String(repeating: "X", count: 255)) == [cut])
        #expect(Word.all(in: String(repeating: "x", count: 254)) != [cut])
        let wide = try #require(Word.all(in: String(repeating: "я", count: 200)).first)
        #expect(wide.bytes.count == 254)
        #expect(String(validating: wide.bytes, as: UTF8.self) == String(repeating: "я", count: 127))
        #expect(Word.all(in: String(repeating: "x", count: 1 << 20)) == [cut])
    }

    @Test func listsHaveTheWordsOfAllTexts() {
        #expect(Word.all(in: .stringList(["a b", "B c"])) == Word.all(in: "a b c"))
        #expect(Word.all(in: FieldValue.int64(5)) == [])
    }
}

extension String {
    fileprivate var decomposed: String {
        IndexValue.all(of: .string(self)).first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }
}
