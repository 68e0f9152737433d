#if DEBUG
@testable import Kinfolk
import ServiceSupport
import TestSupport
import Testing

/// A text of any kind takes few steps for each byte, and twice the text takes about twice the steps.
///
/// Steps are counted (``ReadingSteps``), so the speed of the machine makes no difference.
@Suite struct LinearReadingTests {
    private func expectLinear(
        _ length: Int,
        perByte limit: Int,
        _ steps: (Int) throws -> Int,
        _ comment: Comment? = nil
    ) rethrows {
        let (once, twice) = (try steps(length), try steps(2 * length))
        #expect(once > 0, comment)
        #expect(twice <= limit * 2 * length, comment)
        // A quarter more than double, because some texts have a part of fixed size.
        #expect(twice * 4 <= once * 9 + 4 * 100_000, comment)
    }

    @Test(arguments: ContactFormat.allCases) func contactsAreReadInLinearTime(_ format: ContactFormat) {
        let shapes = ReadingShape.shapes(of: format.rawValue)
        #expect(shapes.count >= 10)
        for shape in shapes {
            expectLinear(
                20_000,
                perByte: 60,
                { length in LinearReadingTests.steps(toRead: shape.text(length), as: format) },
                "\(shape.name)"
            )
        }
    }

    private static func steps(toRead text: [UInt8], as format: ContactFormat) -> Int {
        ReadingSteps.of {
            var book = ContactBook()
            _ = try? book.add(text, as: format)
        }
    }

    @Test(arguments: ["a@b ", "@", "<>", "＠", "<a@b>", "(", "%40", "\"", "a@", " @", "(a@b)", "[[@"])
    func labelsAreMadeInLinearTime(_ unit: String) throws {
        expectLinear(20_000, perByte: 60) { length in
            let label = ReadingShape("", "a@b", unit).text(length)
            return ReadingSteps.of { _ = AddressFreeText(label.span) }
        }
    }

    @Test func randomTextsAreReadInLinearTime() {
        let words = [
            "BEGIN:VCARD", "END:VCARD", "VERSION:2.1", "EMAIL", "FN", "N", "AGENT", "CHARSET=gbk", "CHARSET=koi8-r",
            "QUOTED-PRINTABLE", "ENCODING=Q", "email", "nickname", "name", "a@b.de", "@", "é", "・", "٠", "Σ", "\u{301}",
            "mailto:", "%40", " ", "\t", "\n", "\r", "\r\n", "=", "=\n", " =\n", ":", ";", ",", "\"", "\"\"", "\\",
            "\\n",
            "<", ">", "(", ")", ".", "-", "xn--", "=C3", ":::", "#", "dn:", "mail:", "cn::", "changetype:", "[", "]",
            "{", "}",
            "\"vcard\"", "\"email\"", "\"fn\"", "\\u0040",
        ]
        var random = SeededGenerator(seed: 13)
        for _ in 0..<400 {
            func some(_ range: ClosedRange<Int>) -> String {
                (0..<Int.random(in: range, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                    .joined()
            }
            let beginning =
                [
                    "BEGIN:VCARD\n", "email,name\n", "", "BEGIN:VCARD\nEMAIL;", "dn: x\n",
                    "[\"vcard\",[[\"email\",{},\"text\",\"",
                ].randomElement(using: &random) ?? ""
            let shape = ReadingShape("", beginning + some(0...3), some(1...5), some(0...2))
            let format = ContactFormat.allCases.randomElement(using: &random) ?? .list
            expectLinear(
                6_000,
                perByte: 100,
                { length in LinearReadingTests.steps(toRead: shape.text(length), as: format) },
                "format \(format): \(shape.beginning) \(shape.unit) \(shape.end)"
            )
        }
    }

    @Test(arguments: [
        ("a%d@example.com ::: ", "email\n"), ("a@b.de ::: ", "email\n"), ("é:::", "email\n"), (" ", "email\n"),
    ])
    func rowsOfPeopleAreReadInLinearTime(_ unit: String, _ header: String) {
        expectLinear(40_000, perByte: 60) { length in
            var text = Array((header + "\"").utf8)
            var number = 0
            while text.count < length {
                text += Array(unit.replacing("%d", with: "\(number)").utf8)
                number += 1
            }
            text += Array("\"\n".utf8)
            return ReadingSteps.of { PeopleReading.people(in: text.span) }
        }
    }

    /// Up to the limit of 16,384 bytes, whether the text is valid or not. Nested parentheses of one kind are joined once a level.
    @Test(arguments: [
        ("", "a=1 OR ", "a=1"), ("", "a=1||", "a=1"), ("", "a=1 OR b=1 AND ", "a=1"), ("", "NOT ", "a=1"),
        ("", "!", ""),
        ("", "(", ""), ("", "(a=1 OR ", ""), ("", "(a=1) OR ", "a=1"), ("a IN {", "1,", "1}"), ("a IN {", "'x',", ""),
        ("a='", "x", "'"), ("a='", "\\\\", "'"), ("a='", "\\u0041", "'"), ("a='", "日", ""), ("", "'", ""),
        ("", "''", ""), ("", "a", "=1"), ("#", "a", "=1"), ("", "#a", ""), ("a=", "1", ""), ("a=0.", "1", ""),
        ("a=", "-", "1"), ("a IN {", "1e9,", "1}"), ("", " ", "a=1"), ("a=1", " \n", ""), ("", "%@", ""), ("", "%", ""),
        ("", "%K=%@ OR ", "a=1"), ("", "distanceToLocation:fromLocation:(", ""), ("", "a:", ""), ("", "{", ""),
        ("self CONTAINS '", "a b ", "'"), ("", "ALL tokenize('a','Cdl') IN allTokens OR ", "a=1"),
        ("a=1 ", "\u{301}", ""),
        ("", "ANY a=1 OR ", "a=1"), ("", "a BETWEEN {1,2} OR ", "a=1"), ("", "a=NULL&&", "a=1"), ("", "=", ""),
    ])
    func predicatesAreReadInLinearTime(_ beginning: String, _ unit: String, _ end: String) {
        let shape = ReadingShape("", beginning, unit, end)
        let arguments = Array(repeating: FieldValue.string("a"), count: 2_000)
        expectLinear(
            8_000,
            perByte: 2,
            { length in
                let text = String(decoding: shape.text(length), as: UTF8.self)
                #expect(text.utf8.count <= QueryLimits.text)
                return ReadingSteps.of { _ = try? QueryPredicate(text, arguments: arguments) }
            },
            "\(beginning)\(unit)…\(end)"
        )
    }

    /// Each level of parentheses joins what is in it: at most 1,000 conditions on each of 64 levels.
    @Test func nestedPredicatesAreJoinedOnceALevel() {
        let inner = Array(repeating: "a=1", count: 900).joined(separator: " OR ")
        let text = String(repeating: "(", count: 63) + inner + String(repeating: " OR b=1)", count: 63)
        let steps = ReadingSteps.of { #expect(throws: Never.self) { try QueryPredicate(text) } }
        #expect(steps > 900 * 63)
        #expect(steps <= text.utf8.count + 1_000 * 64)
    }

    @Test func aRecordHasAtMostAsManyFieldsAsAContainer() throws {
        let store = try TestService()
        var record = try store.session("Ada").fetchUserRecord()
        let steps = try ReadingSteps.of {
            for number in (0..<Record.maximumFields).reversed() { try record.set("f\(10_000 + number)", to: .int64(1)) }
        }
        #expect(steps <= Record.maximumFields * Record.maximumFields)
        try record.set("f10000", to: .int64(2))
        #expect { try record.set("g", to: .int64(1)) } throws: { ($0 as? KinfolkError)?.code == .limitExceeded }
    }

    @Test func formatsAreDetectedInLinearTime() throws {
        for shape in ReadingShape.all {
            expectLinear(
                20_000,
                perByte: 100,
                { length in
                    ReadingSteps.of {
                        let text = shape.text(length)
                        _ = ContactFormat(detecting: text.span, isAll: true)
                    }
                },
                "\(shape.name)"
            )
        }
    }
}
#endif
