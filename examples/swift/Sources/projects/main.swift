// References, grants and roles, step by step. The program makes its store, "projects.db", in the folder where it runs.

import Kinfolk

let service = try Service.open("projects.db")
_ = try service.createContainer("com.example.projects")
let projects = try service.container("com.example.projects", environment: .development)
let ada = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
let grace = try service.createAccount(name: PersonName(givenName: "Grace", familyName: "Sample"))
let adaHere = try projects.session(for: ada)

// 1. A tree: each record refers to the one above it, and is deleted with it.
let mine = adaHere.privateDatabase
let house = try mine.save(Record(type: "Project", id: RecordID("house")))
func task(_ name: String, of above: Record, parent: Record? = nil) throws -> Record {
    var task = try Record(type: "Task", id: RecordID(name))
    try task.set("partOf", to: .reference(Reference(above, action: .deleteSelf)))
    try task.setParent(parent?.id)
    return try mine.save(task)
}
let roof = try task("roof", of: house, parent: house)
let paint = try task("paint", of: house, parent: house)
_ = try task("brushes", of: paint)

// An invoice needs its task. A reminder may outlive it.
var invoice = try Record(type: "Invoice", id: RecordID("invoice"))
try invoice.set("task", to: .reference(Reference(roof, action: .validate)))
invoice = try mine.save(invoice)
var reminder = try Record(type: "Reminder", id: RecordID("reminder"))
try reminder.set("about", to: .reference(Reference(paint)))
reminder = try mine.save(reminder)

for target in [house, roof] {
    for reference in try mine.backReferences(to: target.id) {
        print("\(reference.source.name) refers to \(target.id.name): \(reference.kind)")
    }
}

// 2. The house cannot be deleted while the invoice needs the roof.
func delete(_ record: Record) throws {
    do {
        let deleted = try mine.delete(record.id)
        print("Deleted:", deleted.map(\.id.name).joined(separator: ", "))
    } catch {
        guard error.code == .referenceViolation else { throw error }
        print("\(record.id.name) stays: \(error.reason)")
    }
}
try delete(house)
try delete(invoice)
try delete(house)

// The reminder still names the record, which is gone.
if case .reference(let about)? = try mine.fetch(reminder.id)["about"] {
    do {
        _ = try mine.fetch(about.target)
    } catch {
        guard error.code == .unknownItem else { throw error }
        print("\(about.target.name): \(error.reason)")
    }
}
do {
    _ = try task("garden", of: house)
} catch let error as KinfolkError where error.code == .referenceViolation {
    print("garden: \(error.reason)")
}

// 3. Grants: everybody reads news, editors write it.
try projects.applySchema(
    """
    DEFINE SCHEMA
    CREATE ROLE Editor;
    RECORD TYPE News (
        title STRING,
        GRANT READ TO "_world",
        GRANT READ, CREATE, WRITE TO Editor
    );
    """
)
let graceHere = try projects.session(for: grace)
func publish(_ title: String) throws {
    var news = try Record(type: "News", id: RecordID("today"))
    try news.set("title", to: .string(title))
    do {
        news = try graceHere.publicDatabase.save(news, policy: .allKeys)
        print("Grace saved: \(title)")
    } catch {
        guard error.code == .permissionFailure else { throw error }
        print("Grace did not save: \(error.reason)")
    }
}
try publish("Not yet")
try projects.grantRole("Editor", to: grace)
print("Grace's roles:", try projects.roles(of: grace).joined(separator: ", "))
try publish("The roof is done")
try projects.revokeRole("Editor", from: grace)
try publish("Too late")
let news = try projects.anonymousSession().publicDatabase.fetch(RecordID("today"))
if case .string(let title)? = news["title"] { print("Everybody reads: \(title)") }
