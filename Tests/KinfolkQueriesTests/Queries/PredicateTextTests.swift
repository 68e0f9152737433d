import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

/// What the text of a predicate means.
@Suite("Predicate texts") struct PredicateTextTests {
    private static let here = location(37.33, -122.03)

    private static func location(_ latitude: Double, _ longitude: Double) -> Location {
        guard let location = try? Location(latitude: latitude, longitude: longitude) else { fatalError("out of range") }
        return location
    }

    private static let name = QueryKey("name")
    private static let start = QueryKey("start")
    private static let count = QueryKey("count")
    private static let tags = QueryKey("tags")
    private static let date = FieldValue.date(Timestamp(microseconds: 1_000_000))

    private func expect(
        _ text: String,
        _ arguments: FieldValue...,
        means predicate: QueryPredicate,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(
            try QueryPredicate(text, arguments: arguments) == predicate,
            "\(text)",
            sourceLocation: sourceLocation
        )
        try predicate.validate()
    }

    @Test func examplesOfCloudKitAreRead() throws {
        let (name, start, here) = (PredicateTextTests.name, PredicateTextTests.start, PredicateTextTests.here)
        let date = PredicateTextTests.date
        try expect("name = %@", .string("Ada"), means: name == .string("Ada"))
        try expect("%K = %@", .string("name"), .string("Ada"), means: name == .string("Ada"))
        try expect("start > %@", date, means: start > date)
        try expect("start > %@ AND name = %@", date, .string("Ada"), means: start > date && name == .string("Ada"))
        let near = QueryKey("Location").distance(from: here) < 100
        try expect("distanceToLocation:fromLocation:(Location, %@) < 100", .location(here), means: near)
        try expect(
            "distanceToLocation:fromLocation:(%K,%@) < %f",
            .string("Location"),
            .location(here),
            .double(100),
            means: near
        )
        let words = QueryPredicate.words("after session")
        try expect("ALL tokenize(%@, 'Cdl') IN allTokens", .string("after session"), means: words)
        try expect("ALL tokenize('after session', 'Cdl') IN allTokens", means: words)
        try expect("self CONTAINS 'word'", means: .words("word"))
        try expect("self contains %@", .string("word"), means: .words("word"))
        try expect("name = 'Ada'", means: name == .string("Ada"))
        try expect("name == \"Ada\"", means: name == .string("Ada"))
        try expect("TRUEPREDICATE", means: .all)
        try expect("%@ IN tags", .string("home"), means: QueryKey("tags").contains(.string("home")))
        try expect("name BEGINSWITH %@", .string("Ad"), means: name.begins(with: "Ad"))
        try expect("name IN { 'Ada', 'Eve' }", means: name.isIn([.string("Ada"), .string("Eve")]))
        try expect("ANY tags = 'home'", means: QueryKey("tags").any == .string("home"))
        try expect("creatorUserRecordID = %@", .string(user), means: QueryKey("createdBy") == .string(user))
    }

    private let user = "_0123456789abcdef0123456789abcdef"

    private static let comparisons: [(String, QueryPredicate)] = [
        ("count = 5", count == .int64(5)), ("count == 5", count == .int64(5)), ("count=5", count == .int64(5)),
        ("count != 5", count != .int64(5)), ("count<>5", count != .int64(5)), ("count<5", count < .int64(5)),
        ("count <= 5", count <= .int64(5)), ("count =< 5", count <= .int64(5)), ("count > 5", count > .int64(5)),
        ("count >= 5", count >= .int64(5)), ("count => 5", count >= .int64(5)), ("5 < count", count > .int64(5)),
        ("5 <= count", count >= .int64(5)), ("5 > count", count < .int64(5)), ("5 >= count", count <= .int64(5)),
        ("5 = count", count == .int64(5)), ("5 != count", count != .int64(5)), ("NULL = count", count == nil),
        ("count = NULL", count == nil), ("count != nil", count != nil), ("count == Nil", count == nil),
        ("count BETWEEN {1, 5}", count.isBetween(.int64(1), .int64(5))), ("count IN {}", count.isIn([])),
        ("count in {1,2}", count.isIn([.int64(1), .int64(2)])),
        ("{1,2} CONTAINS count", count.isIn([.int64(1), .int64(2)])),
        ("tags CONTAINS 'x'", tags.contains(.string("x"))), ("'x' IN tags", tags.contains(.string("x"))),
        ("ANY tags BEGINSWITH 'x'", tags.any.begins(with: "x")), ("some tags < 'x'", tags.any < .string("x")),
        ("any tags IN {'x'}", tags.any.isIn([.string("x")])), ("#tags = 'x'", tags == .string("x")),
        ("#in = 1", QueryKey("in") == .int64(1)), ("#TRUE = TRUE", QueryKey("TRUE") == .boolean(true)),
        ("a = yes", QueryKey("a") == .boolean(true)), ("a = NO", QueryKey("a") == .boolean(false)),
        ("a = false", QueryKey("a") == .boolean(false)), ("like = 1", QueryKey("like") == .int64(1)),
        ("ends = 1 and anyway = 2", QueryKey("ends") == .int64(1) && QueryKey("anyway") == .int64(2)),
        ("tokenize = 1", QueryKey("tokenize") == .int64(1)), ("FALSEPREDICATE", .none),
        ("\t( ( count\n= 5 ) )\r\n", count == .int64(5)),
    ]

    @Test(arguments: comparisons) func comparisonsAreRead(_ text: String, _ predicate: QueryPredicate) throws {
        try expect(text, means: predicate)
    }

    @Test func negationBindsStrongestAndDisjunctionWeakest() throws {
        let (a, b, c) = (QueryKey("a") == .int64(1), QueryKey("b") == .int64(1), QueryKey("c") == .int64(1))
        try expect("a = 1 OR b = 1 AND c = 1", means: a || (b && c))
        try expect("a = 1 && b = 1 || c = 1", means: (a && b) || c)
        try expect("(a = 1 OR b = 1) AND c = 1", means: (a || b) && c)
        try expect("NOT a = 1 AND b = 1", means: !a && b)
        try expect("NOT (a = 1 AND b = 1)", means: !(a && b))
        try expect("! a = 1 OR !b = 1", means: !a || !b)
        try expect("NOT NOT a = 1", means: a)
        try expect("not ! not a = 1", means: !a)
        try expect("a = 1 AND (b = 1 AND c = 1)", means: .and([a, b, c]))
        try expect("a = 1 or (b = 1 oR c = 1)", means: .or([a, b, c]))
    }

    @Test(arguments: [
        ("-5", FieldValue.int64(-5)), ("+5", .int64(5)), ("007", .int64(7)), ("9223372036854775807", .int64(.max)),
        ("-9223372036854775808", .int64(.min)), ("1.5", .double(1.5)), ("-.5", .double(-0.5)), (".5", .double(0.5)),
        ("1e3", .double(1000)), ("-1.5E-3", .double(-0.0015)), ("2e+2", .double(200)), ("-0.0", .double(-0.0)),
        ("9223372036854775808.0", .double(0x1p63)), ("5e-324", .double(.leastNonzeroMagnitude)), ("1e-999", .double(0)),
        ("''", .string("")), ("\"it's\"", .string("it's")), (#"'it\'s'"#, .string("it's")),
        (#"'a\\b\"\n\t\r'"#, .string("a\\b\"\n\t\r")), (#"'\u0041\u00e9'"#, .string("Aé")),
        (#"'\ud83d\ude00'"#, .string("😀")), ("'日本 %@ %K {} NULL'", .string("日本 %@ %K {} NULL")),
        (#"'\u0000'"#, .string("\0")), ("'\0'", .string("\0")), ("TRUE", .boolean(true)),
    ]) func valuesAreRead(_ text: String, _ value: FieldValue) throws {
        try expect("a = \(text)", means: QueryKey("a") == value)
        try expect("a IN {\(text), \(text)}", means: QueryKey("a").isIn([value, value]))
        if value != .boolean(true) { try expect("\(text) = a", means: QueryKey("a") == value) }
    }

    @Test func argumentsAreValuesOrLists() throws {
        let numbers = FieldValue.int64List([1, 5])
        try expect("count IN %@", numbers, means: QueryKey("count").isIn([.int64(1), .int64(5)]))
        try expect("count BETWEEN %@", numbers, means: QueryKey("count").isBetween(.int64(1), .int64(5)))
        try expect("%@ CONTAINS count", numbers, means: QueryKey("count").isIn([.int64(1), .int64(5)]))
        try expect(
            "count BETWEEN {%@, %@}",
            .int64(1),
            .double(5),
            means: QueryKey("count").isBetween(.int64(1), .double(5))
        )
        try expect("%@ < count", .int64(1), means: QueryKey("count") > .int64(1))
        for placeholder in ["%d", "%i", "%u", "%ld", "%lu", "%lld", "%f", "%lf", "%g"] {
            try expect("count = \(placeholder)", .int64(1), means: QueryKey("count") == .int64(1))
        }
        try expect("count IN %@", .stringList([]), means: QueryKey("count").isIn([]))
    }

    @Test func anArgumentIsNeverReadAsText() throws {
        let hostile = "' OR TRUEPREDICATE OR name = '%@ %K"
        try expect("name = %@", .string(hostile), means: QueryKey("name") == .string(hostile))
        try expect("self CONTAINS %@", .string(hostile), means: .words(hostile))
        #expect(throws: KinfolkError(.invalidArgument, "")) {
            try QueryPredicate("%K = 1", .string("name = 1 OR name"))
        }
        // A key that is the name of a keyword is still a key.
        try expect("%K = 1", .string("TRUEPREDICATE"), means: QueryKey("TRUEPREDICATE") == .int64(1))
    }

    @Test func aDistanceIsComparedFromBothSides() throws {
        let (here, key) = (PredicateTextTests.here, QueryKey("place").distance(from: PredicateTextTests.here))
        let function = "distanceToLocation:fromLocation:"
        try expect("\(function)(place, %@) <= 1e3", .location(here), means: key <= 1_000)
        try expect("\(function)(%@, place) > 5", .location(here), means: key > 5)
        try expect("100 > \(function) ( place , %@ )", .location(here), means: key < 100)
        try expect("%@ <= \(function)(place, %@)", .int64(7), .location(here), means: key >= 7)
        try expect("NOT \(function)(place, %@) < 100", .location(here), means: !(key < 100))
    }
}
