import Floors
import Kinfolk

/// A user record of 8 fields, fetched and saved.
enum UserRecordWork {
    static func measure(_ setting: Setting) throws -> [Section] {
        let path = setting.scratch.file("records.db")
        let service = try Service.open(path)
        let container = try service.createContainer("com.example.bench")
        // Other people, in addition to the two whose records are measured.
        let file = try PeopleFile.write(10_000, to: setting.scratch, consenting: false)
        _ = try service.importPeople(fromFile: file, into: container)
        let accounts = try service.accounts(limit: 2)
        let sessions = try accounts.map { try container.session(for: $0) }
        let ids = try sessions.map { Hexadecimal.bytes("\(try $0.userRecordID())".dropFirst().description) }
        for session in sessions { _ = try session.save(filled(session.fetchUserRecord(), 0)) }

        let floor = floor_store_open(path, setting.scratch.file("records.key"), "com.example.bench", 0)
        defer { floor_store_close(floor) }
        var fields = [UInt8](repeating: 0, count: 4_096)
        let length = floor_fetch_record(floor, ids[1], &fields, fields.count)
        try verify(length, sessions[1], floor, ids[1])

        let mine = try sessions[0].userRecordID()
        let fetching = try Pair(.processor, runs: setting.runs, repeats: 200) { _ in
            _ = try sessions[0].fetchUserRecord(mine)
        } floor: { _ in
            guard floor_fetch_record(floor, ids[1], &fields, fields.count) == length else {
                throw Failure("The floor fetched another record.")
            }
        }
        var record = try sessions[0].fetchUserRecord()
        var number: Int64 = 1
        let saving = try Pair(.wall, runs: setting.runs, repeats: 10) { _ in
            record = try sessions[0].save(filled(record, number))
            number += 1
        } floor: { _ in
            floor_save_record(floor, ids[1])
        }
        return [
            Section(
                title: "User record of 8 fields",
                rows: [
                    Row("fetched", fetching, in: .microseconds, goal: .ratioAtMost(1.5)),
                    Row("saved, durable", saving, in: .microseconds, goal: .ratioAtMost(1.25)),
                ]
            )
        ]
    }

    /// Sets all 8 fields, because saving writes the fields that were set.
    private static func filled(_ record: Record, _ number: Int64) throws -> Record {
        var record = record
        try record.set("nickname", to: .string("Countess"))
        try record.set("level", to: .int64(number))
        try record.set("score", to: .double(0.5))
        try record.set("isPlaying", to: .boolean(true))
        try record.set("avatar", to: .bytes([UInt8](repeating: 7, count: 64)))
        try record.set("joined", to: .date(Timestamp(microseconds: 1_700_000_000_000_000)))
        try record.set("home", to: .location(Location(latitude: 51.5, longitude: -0.1)))
        try record.set("tags", to: .stringList(["chess", "mathematics"]))
        return record
    }

    /// Ends the run unless the product can read what the floor writes, and the floor what the product writes.
    private static func verify(_ length: Int, _ session: Session, _ floor: OpaquePointer?, _ id: [UInt8]) throws {
        let before = try session.fetchUserRecord()
        floor_save_record(floor, id)
        let after = try session.fetchUserRecord()
        guard length > 0, before.changeTag != after.changeTag, after.keys.count == 8,
            after.keys.allSatisfy({ before[$0] == after[$0] })
        else { throw Failure("The product and the floor have different records.") }
    }
}
