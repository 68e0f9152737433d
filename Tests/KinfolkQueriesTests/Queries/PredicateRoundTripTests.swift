import KinfolkModel
import TestSupport
import Testing

/// Generated predicates and texts.
@Suite("Generated predicates") struct PredicateRoundTripTests {
    @Test func theTextOfAPredicateMeansThePredicate() throws {
        var generator = PredicateGenerator(seed: 18)
        for round in 0..<(Search.isLong ? 200_000 : 5_000) {
            let predicate = try generator.predicate()
            try predicate.validate()
            let (text, arguments) = (predicate.text, predicate.arguments)
            guard text.utf8.count <= QueryLimits.text else { continue }
            #expect(try QueryPredicate(text, arguments: arguments) == predicate, "round \(round): \(text)")
        }
    }

    /// A damaged text has an error, or is another predicate, whose text means it again.
    @Test func anyTextIsReadOrRefused() throws {
        var generator = PredicateGenerator(seed: 19)
        var read = 0
        for round in 0..<(Search.isLong ? 500_000 : 10_000) {
            let (text, arguments): (String, [FieldValue])
            if round.isMultiple(of: 2) {
                (text, arguments) = generator.text(maximumWords: 12)
            } else {
                let predicate = try generator.predicate(depth: 2)
                (text, arguments) = (generator.damaged(predicate.text), predicate.arguments)
            }
            do throws(KinfolkError) {
                let predicate = try QueryPredicate(text, arguments: arguments)
                try predicate.validate()
                read += 1
                guard predicate.text.utf8.count <= QueryLimits.text else { continue }
                let again = try QueryPredicate(predicate.text, arguments: predicate.arguments)
                #expect(again == predicate, "round \(round): \(text)")
            } catch {
                #expect([.invalidArgument, .limitExceeded].contains(error.code), "round \(round): \(text)")
                guard let position = PredicateRoundTripTests.position(of: error) else { continue }
                #expect((1...text.unicodeScalars.count + 1).contains(position), "round \(round): \(text)")
            }
        }
        #expect(read > 200)
    }

    private static func position(of error: KinfolkError) -> Int? {
        let prefix = "At character "
        guard error.reason.hasPrefix(prefix) else { return nil }
        return Int(error.reason.dropFirst(prefix.count).prefix { $0.isNumber })
    }

    #if DEBUG
    @Test(arguments: [
        "a=1 AND ", "(", "NOT ", "!", "{", "'", "'a' ", "\\", "a", "a:", "%@", "%K ", "1", "1.", "-", "#a", " ",
        "\u{301}", "a IN {1,",
        "'\\u0041' ", "distanceToLocation:fromLocation:(", "ALL tokenize(", "=", "&&", "\0", "5 < a OR ", "a=1 OR (",
        "1e",
    ]) func anyTextIsReadInLinearTime(_ unit: String) {
        for beginning in ["", "a = ", "a IN {", "'", "a = '", "NOT ("] {
            for length in [2_000, 16_000] {
                let text = String(decoding: ReadingShape("", beginning, unit).text(length), as: UTF8.self)
                let arguments = [FieldValue](repeating: .string("a"), count: 10_000)
                let steps = ReadingSteps.of { _ = try? QueryPredicate(text, arguments: arguments) }
                #expect(steps <= text.utf8.count, "\(beginning)\(unit)")
            }
        }
    }
    #endif
}
