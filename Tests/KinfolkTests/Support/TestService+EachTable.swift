import Kinfolk
import KinfolkStorage

extension TestService {
    /// Adds rows to each table.
    func fillEachTable() throws -> (ada: Session, grace: Session) {
        try container.setDirectoryModes([.hashed, .private])
        let ada = try discoverable("Ada", emails: "ada@example.com")
        let grace = try discoverable("Grace", emails: "grace@example.org")
        try account(of: ada).addEmail("ada@example.net")
        _ = try account(of: ada).requestVerification(of: EmailAddress("ada@example.net"))
        try account(of: grace).addEmail("ada@example.com", verified: true)
        try container.addField("nickname", type: .string)
        var record = try ada.fetchUserRecord(in: .private)
        try record.set("nickname", to: .string("Lady Lovelace"))
        _ = try ada.save(record)
        try container.addField("title", type: .string, to: "Note")
        try container.applySchema(
            "DEFINE SCHEMA CREATE ROLE Editor; RECORD TYPE Note (GRANT READ TO \"_world\", GRANT WRITE TO Editor);"
        )
        for database in [ada.publicDatabase, ada.privateDatabase, grace.publicDatabase] {
            var note = try Record(type: "Note")
            try note.set("title", to: .string("Groceries"))
            _ = try database.save(note)
        }
        try grace.block(discoverable("Alan").userRecordID())
        let other = try service.createContainer("com.example.chess")
        _ = try? other.account(of: ada.userRecordID(), reason: "Ticket 12")
        _ = try ada.discover(book("grace@example.org", "nobody@example.com"))
        // Limits remember the address.
        let gone = try session("Cleo", emails: "cleo@example.com")
        _ = try gone.discover(book("nobody@example.com"))
        _ = try account(of: gone).erase()
        _ = try service.rotateKeys()
        _ = try service.write { db in try db.execute("INSERT INTO activity VALUES (1, 0, 0, 3, 4)") }
        return (ada, grace)
    }
}
