import Foundation
import Kinfolk
import TestSupport

/// The published vectors (`canonical-email-vectors.json`). Some are chosen by hand; the library makes the others from random
/// spellings. `make vectors` writes the file.
enum CanonicalEmailVectors {
    static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "canonical-email-vectors.json"
    )

    /// How many spellings of each kind are made.
    private static let countPerKind = 50

    /// The prefix of the names of generated vectors.
    static let madeName = "made: "

    /// Spellings of many kinds, the same in every run.
    static func spellings() -> [(name: String, input: String)] {
        var generator = SeededGenerator(seed: 14)
        var seen: Set<[UInt8]> = []
        return kinds.flatMap { kind in
            (1...countPerKind).compactMap { number in
                let input = kind.make(&generator)
                return seen.insert(Array(input.utf8)).inserted ? ("\(madeName)\(kind.name) \(number)", input) : nil
            }
        }
    }

    private struct Kind: Sendable {
        let name: String
        let make: @Sendable (inout SeededGenerator) -> String
    }

    private static let scripts: [(name: String, letters: String)] = [
        ("Latin", "abcäöüÄÖÜßẞéÉıİiIñçÇøÅł"), ("Greek", "αβγδΑΒΓΔΣσςΐΰὀᾳΩ"), ("Cyrillic", "абвгАБВГёЁйЙіїӏӀ"),
        ("Japanese", "山田太郎やまだヤマダーﾔﾏﾀﾞ・々"), ("Chinese", "例子中文郵件地址"), ("Korean", "김민수가각\u{1100}\u{1161}\u{11A8}"),
        ("Hebrew", "אבגדה\u{5B0}\u{5F3}1"), ("Arabic", "محمدعلي١٢\u{64B}"), ("Persian", "میرود\u{200C}پ۱۲٣"),
        ("Devanagari", "रामक्षि\u{93C}\u{94D}\u{200D}"), ("Thai", "สมชายกำ่"), ("Georgian", "აბგႠႡႢ"), ("Cherokee", "ᎠᎡᎢꭰꭱ"),
        ("full width", "ａｂｃＡＢＣ１２３．－"), ("marks", "aeols\u{301}\u{308}\u{323}\u{307}\u{345}"),
        ("compatibility", "abcﬁǆ℀½①ªº≠"),
    ]

    private static let kinds: [Kind] =
        scripts.map { script in
            Kind(name: "\(script.name) local part") { generator in
                some(script.letters, 6, &generator) + "@example.com"
            }
        }
        + scripts.map { script in
            Kind(name: "\(script.name) label") { generator in "ada@" + some(script.letters, 6, &generator) + ".example"
            }
        }
        + [
            Kind(name: "ASCII") { generator in
                some("abcXYZ019.!#$%&'*+-/=?^_`{|}~", 10, &generator) + "@" + some("abcXYZ019.-", 12, &generator)
            },
            Kind(name: "A-label") { generator in
                let prefix = ["xn--", "XN--", "xN--"].randomElement(using: &generator) ?? ""
                return "ada@\(prefix)" + some("abckvgmh0123456789-", 6, &generator) + ".example"
            },
            Kind(name: "mixed scripts") { generator in
                let letters = { (generator: inout SeededGenerator) -> String in
                    scripts.randomElement(using: &generator)?.letters ?? ""
                }
                return some(letters(&generator), 3, &generator) + some(letters(&generator), 3, &generator) + "@"
                    + some(letters(&generator), 3, &generator) + some("ab-1", 2, &generator) + ".example"
            },
            Kind(name: "disturbed") { generator in
                let odd =
                    "@＠.．。 \t\"()<>[]:;,\\\u{A0}\u{AD}\u{200B}\u{200E}\u{202E}\u{3000}\u{FEFF}\u{FE0F}\u{338}\u{E000}\u{FFFF}👍"
                var text = Array("Ada.Lovelace@Bücher.Example".unicodeScalars)
                for scalar in some(odd, 2, &generator).unicodeScalars {
                    text.insert(scalar, at: Int.random(in: 0...text.count, using: &generator))
                }
                return String(String.UnicodeScalarView(text))
            },
            Kind(name: "length") { generator in
                let label = { (letter: String, generator: inout SeededGenerator) in
                    String(repeating: letter, count: Int.random(in: 55...66, using: &generator))
                }
                let count = Int.random(in: 1...4, using: &generator)
                let labels = (0..<count).map { _ in label("b", &generator) }
                return label("a", &generator) + "@" + labels.joined(separator: ".") + ".example"
            },
        ]

    /// Chooses scalars, not characters: a `Character` may consist of several scalars.
    private static func some(_ letters: String, _ most: Int, _ generator: inout SeededGenerator) -> String {
        let letters = Array(letters.unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...most, using: &generator) {
            if let scalar = letters.randomElement(using: &generator) { text.append(scalar) }
        }
        return String(text)
    }
}
