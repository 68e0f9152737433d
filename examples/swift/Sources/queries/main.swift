// Queries, step by step. The program makes its store, "queries.db", in the folder where it runs.

import Kinfolk

let service = try Service.open("queries.db")
_ = try service.createContainer("com.example.calendar")
let calendar = try service.container("com.example.calendar", environment: .development)
let ada = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
let database = try calendar.session(for: ada).privateDatabase

// 1. Records, and the indexes that their queries need.
try calendar.applySchema(
    """
    DEFINE SCHEMA
    RECORD TYPE Event (
        name  STRING QUERYABLE,
        start TIMESTAMP SORTABLE,
        place LOCATION QUERYABLE,
        tags  LIST<STRING> QUERYABLE,
        notes STRING SEARCHABLE,
        seats INT64
    );
    """
)
let now = Timestamp.now
let here = try Location(latitude: 47.37, longitude: 8.54)
func inDays(_ days: Int64) -> Timestamp { Timestamp(microseconds: now.microseconds + days * 86_400_000_000) }
func event(
    _ record: String, _ name: String, _ days: Int64, _ latitude: Double, _ tags: [String], _ notes: String, _ seats: Int64
) throws -> RecordOperation {
    var event = try Record(type: "Event", id: RecordID(record))
    try event.set("name", to: .string(name))
    try event.set("start", to: .date(inDays(days)))
    try event.set("place", to: .location(Location(latitude: latitude, longitude: 8.54)))
    try event.set("tags", to: .stringList(tags))
    try event.set("notes", to: .string(notes))
    try event.set("seats", to: .int64(seats))
    return .create(event)
}
let saved = try database.run(
    [
        event("standup", "Meeting", 1, 47.37, ["work"], "Bring the plan", 8),
        event("review", "Review", 2, 47.38, ["work"], "Drinks after the session", 20),
        event("party", "Garden party", 3, 48.86, ["home", "friends"], "Bring a salad", 30),
        event("concert", "Concert", 5, 46.95, ["friends"], "Doors open at seven", 400),
        event("retro", "Meeting", 8, 47.37, ["work"], "What to change", 8),
    ],
    atomically: true
)
for result in saved { _ = try result.get() }

// 2. Predicates: a text with arguments, or fields and values.
let predicate = try QueryPredicate("start > %@ AND name = %@", .date(.now), .string("Meeting"))
let query = try Query("Event", where: predicate, sortedBy: [.ascending("start")])
var cursor: QueryCursor?
repeat {
    let page = try database.query(query, after: cursor)
    for record in page.records { print(record.id.name) }
    cursor = page.cursor
} while cursor != nil

func show(_ label: String, _ predicate: QueryPredicate, by order: QuerySortDescriptor...) throws {
    var names: [String] = []
    let query = try Query("Event", where: predicate, sortedBy: order)
    var cursor: QueryCursor?
    repeat {
        let page = try database.query(query, after: cursor)
        names += page.records.map(\.id.name)
        cursor = page.cursor
    } while cursor != nil
    print("\(label): \(names.joined(separator: ", "))")
}
let week = QueryKey("start") > .date(now) && QueryKey("start") < .date(inDays(7))
try show("This week", week, by: .ascending("start"))
try show("By a key", QueryPredicate("%K = %@", .string("name"), .string("Concert")))
let near = try QueryPredicate("distanceToLocation:fromLocation:(place, %@) < 2000", .location(here))
try show("Near", near, by: .ascending("start"))
try show("With friends", QueryPredicate("tags CONTAINS %@", .string("friends")), by: .ascending("start"))
let words = try QueryPredicate("ALL tokenize(%@, 'Cdl') IN allTokens", .string("after session"))
try show("With these words", words)
try show("Large", QueryPredicate("seats >= 20 AND NOT name IN {'Concert', 'Review'}"))

// 3. Orders, pages, counts.
try show("Nearest first", .all, by: .distance("place", from: here), .descending("start"))
let newest = try Query("Event", sortedBy: [.descending("start")])
var next: QueryCursor?
repeat {
    let page = try database.query(newest, desiredKeys: ["name"], limit: 2, after: next)
    let names = page.records.map { if case .string(let name)? = $0["name"] { name } else { "" } }
    print("A page: \(names.joined(separator: ", "))")
    next = page.cursor
} while next != nil
print("Counted: \(try database.count(newest))")

// 4. How a query is answered.
let large = try Query(
    "Event",
    where: QueryPredicate("start > %@ AND seats >= 20", .date(now)),
    sortedBy: [.ascending("start")]
)
let explanation = try database.explain(large)
print("Uses: \(explanation.indexes.map(\.description).joined(separator: ", "))")
print("Lacks: \(explanation.missingIndexes.map(\.description).joined(separator: ", "))")
print("Opened and discarded: \(explanation.recordsDiscarded)")
do {
    _ = try QueryPredicate("seats >= 20 AND")
} catch {
    print("Refused: \(error.reason)")
}
