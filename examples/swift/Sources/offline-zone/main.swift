// An offline copy of a zone, in step with the store in both directions. The program makes the store, "store.db", and the copy,
// "phone.db", in the folder where it runs. The laptop works in the store itself, and the phone in the copy.

import Kinfolk

let service = try Service.open("store.db")
let container = try service.createContainer("com.example.notes")
let ada = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
let laptop = try container.session(for: ada).privateDatabase
try container.addField("title", type: .string, to: "Note")

func save(_ titles: [String: String]) throws {
    let operations = try titles.map { name, title in
        var note = try Record(type: "Note", id: RecordID(name, zone: "Notes"))
        try note.set("title", to: .string(title))
        return RecordOperation.forceUpdate(note)
    }
    for result in try laptop.run(operations, atomically: true) { _ = try result.get() }
}

func stored() throws -> [String: String] {
    var (notes, token): ([String: String], ServerChangeToken?) = ([:], nil)
    var isBehind = true
    while isBehind {
        let page = try laptop.changes(inZone: "Notes", since: token)
        for record in page.records {
            if case .string(let title)? = record["title"] { notes[record.id.name] = title }
        }
        (token, isBehind) = (page.token, page.moreComing)
    }
    return notes
}

func synchronize(_ phone: OfflineZone, _ event: String) throws {
    let exists = try phone.synchronize()
    let notes = try phone.notes()
    let titles = notes.values.sorted()
    print(event + ":", titles.count > 5 ? "\(titles.count) notes" : titles.joined(separator: ", "))
    guard exists, try notes == stored() else { fatalError("The two sides differ.") }
}

// 1. The first synchronization copies the zone.
try laptop.save(RecordZone("Notes"))
try save(["list": "Bread", "trip": "Oslo", "old": "Taxes", "idea": "Kites"])
let phone = try OfflineZone("phone.db", of: "Notes", in: laptop)
try synchronize(phone, "Copied")

// 2. Both sides change something while the phone is offline.
try phone.set("list", "Bread and milk")
try phone.set("gift", "A book")
try phone.delete("old")
try phone.delete("trip")
try save(["list": "Bread and eggs", "trip": "Bergen"])
try laptop.delete(RecordID("idea", zone: "Notes"))
try synchronize(phone, "In step")

// 3. A thousand notes come in pages. The phone deletes them in batches.
for start in [0, 400, 800] {
    try save(Dictionary(uniqueKeysWithValues: (start..<min(start + 400, 1_000)).map { ("note \($0)", "Page \($0)") }))
}
try synchronize(phone, "In pages")
for number in 0..<1_000 { try phone.delete("note \(number)") }
try synchronize(phone, "In batches")

// 4. The token of the copy is of no use any more, as after a year offline: everything is fetched again, and what is gone is dropped.
try LocalFile("phone.db").run("UPDATE position SET token = x'00'")
try laptop.delete(RecordID("trip", zone: "Notes"))
try phone.set("gift", "Two books")
try synchronize(phone, "Fetched again")

// 5. The zone is deleted, and the copy with it.
try laptop.deleteZone("Notes")
print("Zone deleted:", try phone.synchronize() ? "still there" : "the copy has \(try phone.notes().count) notes")
