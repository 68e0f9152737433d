// Databases of records, step by step. The program makes its store, "records.db", in the folder where it runs.

import Kinfolk

let service = try Service.open("records.db")
let notes = try service.createContainer("com.example.notes")
let development = try service.container("com.example.notes", environment: .development)
let ada = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
let grace = try service.createAccount(name: PersonName(givenName: "Grace", familyName: "Sample"))
let adaHere = try notes.session(for: ada)
let adaInDevelopment = try development.session(for: ada)
let shared = adaHere.publicDatabase

// 1. A record of a new type, in development. The schema grows.
let author = try adaInDevelopment.userRecordID()
let days = [Timestamp(microseconds: 1_767_225_600_000_000), Timestamp(microseconds: 1_767_312_000_000_000)]
let shops = [try Location(latitude: 51.5, longitude: -0.12), try Location(latitude: 48.86, longitude: 2.35)]
var everything = try Record(type: "Note", id: RecordID("everything"))
try everything.set("title", to: .string("Groceries"))
try everything.set("count", to: .int64(2))
try everything.set("total", to: .double(4.7))
try everything.set("isDone", to: .boolean(false))
try everything.set("icon", to: .bytes([0x89, 0x50, 0x4e, 0x47]))
try everything.set("due", to: .date(days[0]))
try everything.set("shop", to: .location(shops[0]))
try everything.set("author", to: .reference(author))  // a user record of this container
try everything.set("tags", to: .stringList(["home", "weekly"]))
try everything.set("prices", to: .int64List([320, 150]))
try everything.set("weights", to: .doubleList([0.5, 1.25]))
try everything.set("bought", to: .booleanList([true, false]))
try everything.set("icons", to: .bytesList([[0x89, 0x50], [0x4e, 0x47]]))
try everything.set("days", to: .dateList(days))
try everything.set("shops", to: .locationList(shops))
try everything.set("readers", to: .referenceList([author, author]))
everything = try adaInDevelopment.publicDatabase.save(everything)
print(everything.id.name, "has", everything.keys.count, "fields")

// The schema as a text: change it, see the difference, apply it, and deploy it to production.
let schema = try development.exportSchema()
let wanted = schema.replacing("LIST<STRING>", with: "LIST<STRING> QUERYABLE")
print(try development.schemaDifference(wanted), terminator: "")
try development.applySchema(wanted)
let deployed = try development.deploySchema()
print("Deployed:", deployed.changes.count, "changes")

// From now on saves add nothing to the schema of production.
for session in [adaHere, adaInDevelopment] {
    var mood = try Record(type: "Note")
    try mood.set("mood", to: .string("good"))
    do {
        mood = try session.publicDatabase.save(mood)
        print("Saved in \(session.container.environment)")
    } catch {
        guard error.code == .invalidArgument else { throw error }
        print("Not saved in \(session.container.environment): \(error.reason)")
    }
}

// 2. A record with a name of our own, and one with a random name.
func show(_ note: Record) {
    guard case .string(let title)? = note["title"], let creator = note.createdBy else { return }
    let modified = note.modifiedAt == note.createdAt ? "never" : "since"
    print("\(note.id.name): \(title), created by \(creator), modified \(modified)")
}
var note = try Record(type: "Note", id: RecordID("shopping"))
try note.set("title", to: .string("Groceries"))
note = try shared.save(note)
show(note)
var unnamed = try Record(type: "Note")
try unnamed.set("title", to: .string("Untitled"))
unnamed = try shared.save(unnamed)

// Two devices change the same record. The slower one makes its change in the record of the store.
var same = try shared.fetch(note.id)
try same.set("title", to: .string("Groceries for Sunday"))
same = try shared.save(same)
try note.set("title", to: .string("Groceries for Monday"))
do {
    note = try shared.save(note)
} catch {
    guard error.code == .serverRecordChanged, var server = error.serverRecord else { throw error }
    print(note.id.name, "was changed meanwhile: trying again")
    try server.set("title", to: .string("Groceries for Monday"))
    note = try shared.save(server)
}
show(note)

// These two policies save without regard to the change tag.
try same.set("title", to: .string("For Tuesday"))
same = try shared.save(same, policy: .changedKeys)
try same.set("title", to: .string("For Wednesday"))
same = try shared.save(same, policy: .allKeys)

// A deletion can ask for a change tag, too.
do {
    try shared.delete(note.id, changeTag: note.changeTag)
} catch {
    guard error.code == .serverRecordChanged else { throw error }
    print("shopping is not deleted:", error.reason)
}
try shared.delete(note.id)
try shared.delete(unnamed.id)

// The seven operations of a batch, on a record that was changed since it was fetched.
func attempt(_ name: String, _ operation: RecordOperation) throws {
    var result = "ok"
    if case .failure(let error) = try shared.run([operation])[0] { result = "\(error.code)" }
    print("    \(name)\(String(repeating: " ", count: 14 - name.count)) \(result)")
}
var stale = try Record(type: "Note", id: RecordID("contested"))
try stale.set("title", to: .string("First"))
stale = try shared.save(stale)
var newer = stale
try newer.set("title", to: .string("Second"))
newer = try shared.save(newer)
print("Seven operations on a changed record:")
try attempt("create", .create(stale))
try attempt("update", .update(stale))
try attempt("forceUpdate", .forceUpdate(stale))
try attempt("replace", .replace(stale))
try attempt("forceReplace", .forceReplace(stale))
try attempt("delete", .delete(stale.id, changeTag: stale.changeTag))
try attempt("forceDelete", .forceDelete(stale.id))

// 3. 400 records in one batch. One of them exists already.
func run(_ operations: [RecordOperation], atomically: Bool) throws {
    let results = try shared.run(operations, atomically: atomically)
    let done = results.count { if case .success = $0 { true } else { false } }
    print(done, "of", results.count, "done")
    for (operation, result) in zip(operations, results) {
        guard case .failure(let error) = result, error.code != .batchRequestFailed else { continue }
        print("    \(operation.id.name): \(error.reason)")
    }
}
let saves = try (0..<400).map { number in
    var note = try Record(type: "Note", id: RecordID("note \(number)"))
    try note.set("count", to: .int64(Int64(number)))
    return RecordOperation.create(note)
}
_ = try shared.save(Record(type: "Note", id: RecordID("note 7")))
print("Atomic: ", terminator: "")
try run(saves, atomically: true)  // everything or nothing
print("Each for itself: ", terminator: "")
try run(saves, atomically: false)
print("Deletions: ", terminator: "")
try run(saves.map { .forceDelete($0.id) }, atomically: true)

// 4. Two people leave. Of Grace, the operator keeps what she published.
func save(_ title: String, as name: String, in database: Database) throws {
    var note = try Record(type: "Note", id: RecordID(name))
    try note.set("title", to: .string(title))
    _ = try database.save(note)
}
try save("From Ada", as: "ada's", in: shared)
try save("Nobody else reads this", as: "diary", in: adaHere.privateDatabase)
try save("From Grace", as: "grace's", in: notes.session(for: grace).publicDatabase)
for person in [ada, grace] {
    let export = try person.export()  // give it to the person
    print("Exported:", export.hasPrefix("{") ? "everything, as JSON" : "nothing")
    let erasure = try person.erase(keepsPublicRecords: person.id == grace.id)
    print("Erased records:", erasure.records)
}
let anybody = notes.anonymousSession().publicDatabase
do {
    _ = try anybody.fetch(RecordID("ada's"))
} catch {
    guard error.code == .unknownItem else { throw error }
    print("ada's:", error.reason)
}
let kept = try anybody.fetch(RecordID("grace's"))
print("grace's: created by", kept.createdBy == nil ? "nobody" : "somebody")
