import KinfolkModel
import TestSupport
import Testing

/// Where the errors in a predicate's text are, and how large a predicate may be.
@Suite("Predicate errors") struct PredicateErrorTests {
    private func fault(_ text: String, _ arguments: [FieldValue] = []) -> KinfolkError? {
        do throws(KinfolkError) {
            _ = try QueryPredicate(text, arguments: arguments)
            return nil
        } catch { return error }
    }

    private static let errors: [(String, Int, String)] = [
        ("", 1, "expected"), ("   ", 4, "expected"), ("name", 5, "operator"), ("name =", 7, "expected"),
        ("name = ", 8, "expected"), ("name = 'a", 8, "not closed"), ("name = \"a'", 8, "not closed"),
        ("name ~ 'a'", 6, "not expected"), ("name = 'a' name = 'b'", 12, "AND"), ("name = 'a')", 11, "AND"),
        ("(name = 'a'", 12, ")"), ("name = 'a' AND", 15, "expected"), ("'日本' = 'a'", 6, "%K"),
        ("name = '日本' , 1", 13, "AND"), ("名 = 1", 1, "quotes"), ("a = é", 5, "quotes"), ("a = 1 é", 7, "quotes"),
        ("a = 1\u{301}", 6, "quotes"), ("a = '\u{1F600}' é", 9, "quotes"), ("a\0= 1", 2, "quotes"),
        ("name LIKE 'a*'", 6, "LIKE"), ("name MATCHES 'a'", 6, "BEGINSWITH"), ("name ENDSWITH 'a'", 6, "ENDSWITH"),
        ("name =[c] 'a'", 7, "[c]"), ("name CONTAINS[cd] 'a'", 14, "ignore case"),
        ("name BEGINSWITH [c] 'a'", 17, "[c]"),
        ("allTokens TOKENMATCHES[cdl] 'a'", 11, "self CONTAINS"), ("a NOT IN {1}", 3, "NOT"),
        ("NONE a = 1", 1, "NOT ANY"),
        ("ALL a = 1", 1, "tokenize"), ("ALL tokenize('a', 'c') IN allTokens", 1, "Cdl"),
        ("ALL tokenize('a', 'Cdl') IN words", 29, "allTokens"), ("a = b", 5, "quotes"), ("a = a.b", 6, "record itself"),
        ("a.b = 1", 2, "record itself"), ("a@max = 1", 2, "record itself"), ("a = $b", 5, "%@"),
        ("a + 1 = 2", 3, "arithmetic"),
        ("a = 1 * 2", 7, "arithmetic"), ("1 = 1", 3, "TRUEPREDICATE"), ("a IN 5", 6, "list"), ("a IN {1", 8, "list"),
        ("a IN {1, }", 10, "value"), ("a IN {1 2}", 9, "list"), ("a IN {b}", 7, "list"), ("a IN {{1}}", 7, "list"),
        ("a IN {NULL}", 7, "list"), ("a IN b", 6, "field"), ("a BETWEEN 5", 11, "two"), ("a BETWEEN {1}", 11, "two"),
        ("a BETWEEN {1, 2, 3}", 11, "two"), ("a = {1, 2}", 5, "IN"), ("a < NULL", 5, "NULL"),
        ("a BEGINSWITH 5", 14, "text"),
        ("'a' BEGINSWITH a", 1, "first"), ("ANY 'x' IN a", 5, "first"), ("self = 'a'", 1, "#self"),
        ("self CONTAINS 5", 1, "words"), ("'a' IN self", 1, "#self"), ("ANY self CONTAINS 'a'", 5, "#self"),
        ("in = 1", 1, "#"), ("a = #", 5, "#"), ("# a = 1", 1, "#"), ("f(a) = 1", 1, "function"),
        ("a = f(1)", 5, "function"),
        ("a: = 1", 1, "function"), ("_a = 1", 1, "reserved"), ("___nothing = 1", 1, "reserved"),
        ("a = 1.", 5, "digits"),
        ("a = 1.5.5", 5, "digits"), ("a = 1e", 5, "digits"), ("a = 1e+", 5, "digits"), ("a = 0x1F", 5, "digits"),
        ("a = 5b", 5, "digits"), ("a = 9223372036854775808", 5, "2^63"), ("a = 1e999", 5, "too large"),
        ("a = -1e999", 5, "too large"), (#"a = '\q'"#, 6, "backslash"), (#"a = '\u12'"#, 6, "backslash"),
        (#"a = 'é\ud83d'"#, 7, "half"), (#"a = '\ud83d\u0041'"#, 6, "half"), (#"a = '\ude00'"#, 6, "half"),
        (#"a = '\"#, 6, "backslash"), ("a = %", 5, "%"), ("a = %s", 5, "%"), ("a = %l", 5, "%"), ("a = %%", 5, "%"),
        ("a = %@", 5, "argument"), ("%K = 1", 1, "argument"), ("a & b", 3, "quotes"), ("a | b", 3, "quotes"),
        ("distanceToLocation:fromLocation:(a, b) < 1", 1, "location"),
        ("distanceToLocation:fromLocation:(a, 'b') < 1", 1, "location"),
        ("distanceToLocation:fromLocation: < 1", 34, "location"),
        ("distanceToLocation:fromLocation:(distanceToLocation:fromLocation:(a)) < 1", 34, "location"),
        ("distancetolocation:fromlocation:(a, 'b') < 1", 1, "function"),
        ("changeTag = 'a'", 13, "change tags"), ("createdAt = 'a'", 13, "dates"), ("createdBy > 'a'", 13, "IN"),
        ("recordName BEGINSWITH 'a'", 23, "IN"), ("recordName = NULL", 14, "NULL"),
        ("createdBy = 'a'", 13, "user record"),
        ("recordName = 5", 14, "names"), ("ANY recordName = 'a'", 18, "ANY"), ("recordName = '_x'", 14, "names"),
    ]

    @Test(arguments: errors) func anErrorNamesItsPosition(_ text: String, _ position: Int, _ hint: String) throws {
        let error = try #require(fault(text), "\(text)")
        #expect(error.code == .invalidArgument)
        #expect(error.reason.hasPrefix("At character \(position) of the predicate: "), "\(text): \(error.reason)")
        #expect(error.reason.contains(hint), "\(text): \(error.reason)")
    }

    @Test func argumentsMustFitThePlaceholders() throws {
        #expect(fault("a = %@", [.int64(1), .int64(2)])?.reason == "The predicate takes 1 argument, and not 2.")
        #expect(fault("a = 1", [.int64(1)])?.reason == "The predicate takes 0 arguments, and not 1.")
        #expect(fault("a = %@ AND b = %@", [.int64(1)])?.reason.contains("At character 16") == true)
        for (text, argument, position) in [
            ("%K = 1", FieldValue.int64(1), 1), ("%K = 1", .string("a b"), 1), ("%K = 1", .string("a.b"), 1),
            ("%K = 1", .string("___x"), 1), ("%K = 1", .string(""), 1), ("a = %d", .string("1"), 5),
            ("a = %f", .boolean(true), 5), ("a = %@", .stringList(["a"]), 5), ("a IN %@", .string("a"), 6),
            ("a IN {%@}", .stringList(["a"]), 7), ("a BETWEEN %@", .int64List([1]), 11),
            ("self CONTAINS %@", .int64(1), 1),
            ("a BEGINSWITH %@", .int64(1), 14), ("a CONTAINS %@", .stringList(["a"]), 12),
        ] {
            let error = try #require(fault(text, [argument]), "\(text)")
            #expect(error.code == .invalidArgument)
            #expect(error.reason.hasPrefix("At character \(position) of the predicate"), "\(text): \(error.reason)")
        }
        let here = FieldValue.location(try Location(latitude: 1, longitude: 1))
        for metres in [FieldValue.double(.nan), .double(.infinity), .string("5")] {
            #expect(fault("distanceToLocation:fromLocation:(a, %@) < %@", [here, metres])?.code == .invalidArgument)
        }
        #expect(fault("distanceToLocation:fromLocation:(a, %@) = 5", [here])?.code == .invalidArgument)
        #expect(fault("ANY distanceToLocation:fromLocation:(a, %@) < 5", [here])?.code == .invalidArgument)
        #expect(fault("distanceToLocation:fromLocation:(createdAt, %@) < 5", [here])?.code == .invalidArgument)
    }

    /// Values are private, and errors are logged.
    @Test func noErrorShowsAValue() {
        let secret = "Ticket4711"
        for text in [
            "a = '\(secret)", "'\(secret)' 'a'", "a = \(secret)", "\(secret) = 1 = 2", "a \(secret) 1",
            "\(secret)(1) = 2",
            "self CONTAINS #\(secret)", "createdBy = '\(secret)'", "a IN {\(secret)}", "a BETWEEN {'\(secret)'}",
            "ALL tokenize('\(secret)', '\(secret)') IN allTokens", "a = \"\(secret)\" 5", "changeTag = '\(secret)'",
        ] {
            #expect(fault(text)?.reason.contains(secret) == false, "\(text)")
        }
        #expect(fault("%K = 1", [.string("\(secret).a")])?.reason.contains(secret) == false)
    }

    @Test func textsHaveALimit() {
        let text = "a = '\(String(repeating: "x", count: QueryLimits.text - 6))'"
        #expect(text.utf8.count == QueryLimits.text)
        #expect(fault(text) == nil)
        #expect(fault(text + " ")?.code == .limitExceeded)
        #expect(fault("a = \(String(repeating: "1", count: 2_000))")?.code == .invalidArgument)
        #expect(fault("a = 0.\(String(repeating: "1", count: 2_000))")?.code == .invalidArgument)
        #expect(fault("a = 0.\(String(repeating: "1", count: 1_000))") == nil)
    }

    @Test func nestingHasALimit() {
        func nested(_ depth: Int, _ open: String, _ close: String, inner: String = "a = 1") -> String {
            String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
        }
        #expect(fault(nested(64, "(", ")")) == nil)
        #expect(fault(nested(65, "(", ")"))?.code == .limitExceeded)
        #expect(fault(nested(65, "(", ")"))?.reason.hasPrefix("At character 65 ") == true)
        #expect(fault(nested(8_000, "(", "", inner: ""))?.code == .limitExceeded)
        #expect(fault(nested(8_000, "{", "", inner: ""))?.code == .invalidArgument)
        #expect(fault(nested(63, "b = 1 OR (c = 1 AND (", "))"))?.code == .limitExceeded)
        #expect(fault(nested(31, "b = 1 OR (c = 1 AND (", "))")) == nil)
        #expect(fault(nested(32, "b = 1 OR (c = 1 AND (", "))"))?.code == .limitExceeded)
        #expect(fault(nested(4_000, "NOT ", "")) == nil)
        #expect(fault(nested(15_000, "!", "")) == nil)
        #expect(fault(nested(400, "distanceToLocation:fromLocation:(", ")"))?.code == .invalidArgument)
    }

    @Test func termsHaveALimit() throws {
        let chain = Array(repeating: "a=1", count: 1_000).joined(separator: " AND ")
        #expect(fault(chain) == nil)
        #expect(fault(chain + " AND a=1")?.code == .limitExceeded)
        let here = FieldValue.location(try Location(latitude: 1, longitude: 1))
        let near = Array(repeating: "distanceToLocation:fromLocation:(a, %@) < 5", count: 51)
        #expect(fault(near.dropLast().joined(separator: " OR "), Array(repeating: here, count: 50)) == nil)
        #expect(fault(near.joined(separator: " OR "), Array(repeating: here, count: 51))?.code == .limitExceeded)
        let values = Array(repeating: "1", count: 999).joined(separator: ",")
        #expect(fault("a IN {\(values)}") == nil)
        #expect(fault("a IN {\(values),1}")?.code == .limitExceeded)
        #expect(fault("a IN %@", [.int64List(Array(repeating: 1, count: 999))]) == nil)
        #expect(fault("a IN %@", [.int64List(Array(repeating: 1, count: 1_000))])?.code == .limitExceeded)
        #expect(fault("a IN %@", [.booleanList(Array(repeating: true, count: 900_000))])?.code == .limitExceeded)
        #expect(
            fault("a IN %@ OR b IN %@", Array(repeating: .int64List(Array(repeating: 1, count: 500)), count: 2))?.code
                == .limitExceeded
        )
    }

    @Test func valuesHaveALimit() {
        let large = FieldValue.bytes(Array(repeating: 1, count: 500_000))
        #expect(fault("a = %@ OR a = %@", [large, large]) == nil)
        #expect(fault("a = %@ OR a = %@ OR a = %@", [large, large, .boolean(true)])?.code == .limitExceeded)
        #expect(fault("a = 1", [large, large, large])?.code == .limitExceeded)
    }
}
