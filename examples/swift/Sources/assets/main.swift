// Files of records, step by step. The program makes its store, "assets.db", and some files in the folder where it runs.

import Kinfolk

let service = try Service.open("assets.db")
let container = try service.createContainer("com.example.recordings")
try container.applySchema(
    """
    DEFINE SCHEMA
    RECORD TYPE Recording (
        title STRING QUERYABLE,
        sound ASSET,
        takes LIST<ASSET>
    );
    """
)
let ada = try container.session(for: service.createAccount(name: PersonName(givenName: "Ada")))
let grace = try container.session(for: service.createAccount(name: PersonName(givenName: "Grace")))
let database = ada.privateDatabase
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

// 1. A file is uploaded a piece at a time. Then a record names it.
let upload = try database.beginUpload()
for wave in 1...100_000 { try upload.write(Array("Wave \(wave)\n".utf8)) }
let sea = try upload.finish()
var recording = try Record(type: "Recording", id: RecordID("sea"))
try recording.set("sound", to: .asset(sea))
recording = try database.save(recording)
print("Uploaded \(sea.size) bytes, SHA-256 \(hexadecimal(sea.sha256.prefix(8)))…")

// 2. The file is read from any offset, or written to the disk.
guard case .asset(let sound)? = try database.fetch(recording.id)["sound"] else { fatalError("The record has no file.") }
let reader = try database.reader(of: sound)
print("It begins with", String(decoding: try reader.read(at: 0, count: 6), as: UTF8.self))
print("It ends with", String(decoding: try reader.read(at: sound.size - 12, count: 11), as: UTF8.self))
try database.save(sound, to: "sea.txt")

// A file of the disk is uploaded in one call, which reports its progress.
var shares: [Int] = []
let copy = try database.upload(file: "sea.txt") { done, total in shares.append(done * 100 / total) }
print("Uploaded it again to \(shares.last ?? 0) %, with the same SHA-256:", copy.sha256 == sea.sha256)

// 3. A file that a field gets takes the place of the one that it had, and the old one is deleted.
try recording.set("sound", to: .asset(copy))
recording = try database.save(recording)
func isThere(_ asset: Asset, in database: Database) throws -> Bool {
    do {
        _ = try database.reader(of: asset)
        return true
    } catch {
        guard error.code == .assetNotAvailable else { throw error }
        return false
    }
}
print("The first file is there:", try isThere(sea, in: database))

// Two records of one zone may have the same file. It is deleted with the last of them.
var other = try Record(type: "Recording", id: RecordID("other"))
try other.set("takes", to: .assetList([copy, database.upload(Array("A short one".utf8))]))
other = try database.save(other)
try database.delete(recording.id)
print("The second file is there:", try isThere(copy, in: database))
try database.delete(other.id)
print("The second file is there:", try isThere(copy, in: database))

// 4. In the public database, others read a file if they may read one of its records. Only its uploader puts it into a record.
let shared = try ada.publicDatabase.upload(Array("For everybody".utf8))
print("Grace reads it:", try isThere(shared, in: grace.publicDatabase))
var published = try Record(type: "Recording", id: RecordID("published"))
try published.set("sound", to: .asset(shared))
published = try ada.publicDatabase.save(published)
print("Grace reads it:", try isThere(shared, in: grace.publicDatabase))
var taken = try Record(type: "Recording", id: RecordID("taken"))
try taken.set("sound", to: .asset(shared))
do {
    taken = try grace.publicDatabase.save(taken)
} catch {
    print("Grace uses it: \(error.code)")
}

// 5. A quota is compared with what a call adds, before anything is written.
try container.setQuota(.user, to: 1_000_000)
do {
    _ = try database.upload(file: "sea.txt")
} catch {
    print("Refused: \(error.code)")
}
let use = try ada.storageUse()
print("Stored: \(use.privateBytes) of \(use.privateQuota ?? .max) bytes")
