package import Kinfolk
import KinfolkAccess
package import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions
import KinfolkThreads
import Testing

extension TestService {
    /// Adds rows to each table.
    package func fillEachTable() throws -> (ada: Session, grace: Session) {
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
        try container.addField("title", type: .string, indexes: [.queryable, .sortable, .searchable], to: "Note")
        try container.addField("place", type: .location, indexes: .queryable, to: "Note")
        try container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Note (GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO Editor);
            """
        )
        try container.grantRole("Editor", to: account(of: ada))
        try container.addField("file", type: .asset, to: "Note")
        try addNotifications(of: ada, from: grace)
        try addAssets(of: ada)
        for database in [ada.publicDatabase, ada.privateDatabase, grace.publicDatabase] {
            var note = try Record(type: "Note")
            try note.set("title", to: .string("Groceries"))
            try note.set("place", to: .location(Location(latitude: 51.5, longitude: -0.1)))
            _ = try database.save(note)
        }
        let draft = try ada.privateDatabase.save(Record(type: "Note"))
        try ada.privateDatabase.delete(draft.id)
        try container.addField("list", type: .reference, to: "Item")
        try container.addField("shops", type: .referenceList, to: "Item")
        try addReferences(to: ada.publicDatabase)
        try addZones(to: ada.privateDatabase)
        try addReferences(to: ada.privateDatabase, zone: "Notes")
        try ada.keyValueStore().set(.string("dark"), forKey: "theme")
        _ = try ada.documents.create("test.txt", contents: [UInt8]("Hello".utf8))
        try grace.block(discoverable("Alan").userRecordID())
        let other = try service.createContainer("com.example.chess")
        _ = try? other.account(of: ada.userRecordID(), reason: "Ticket 12")
        _ = try ada.discover(book("grace@example.org", "nobody@example.com"))
        // Limits remember the address.
        let gone = try session("Cleo", emails: "cleo@example.com")
        _ = try gone.discover(book("nobody@example.com"))
        _ = try account(of: gone).erase()
        try addAccess(of: ada)
        _ = try service.rotateKeys()
        try addIndexBuild()
        try addRemovedAsset(of: ada)
        _ = try service.write { db in try db.execute("INSERT INTO activity VALUES (1, 0, 0, 3, 4)") }
        return (ada, grace)
    }

    /// Adds subscriptions and notifications, and changes in the outbox that this service does not read.
    package func addNotifications(of session: Session, from other: Session) throws {
        try session.privateDatabase.save(Subscription(databaseWithID: "all"))
        let query = try Query("Note", where: QueryPredicate("title = %@", .string("Groceries")))
        try session.publicDatabase.save(
            Subscription(query: query, options: [.firesOnRecordCreation, .firesOnRecordDeletion], id: "groceries")
        )
        _ = try container.session(for: account(of: session), device: "phone")
        var note = try Record(type: "Note")
        try note.set("title", to: .string("Groceries"))
        try container.grantRole("Editor", to: account(of: session))
        for _ in 0..<2 { try session.publicDatabase.delete(other.publicDatabase.save(note).id) }
        service.makeNotifications()
        service.fanOut.stop()
    }

    /// Adds what a network service keeps of its callers: also a web session whose token was replaced.
    package func addAccess(of session: Session) throws {
        let account = try account(of: session)
        let (_, token) = try container.createAPIToken(named: "web", origins: ["https://app.example.com"])
        let key = try container.addServerKey([4] + [UInt8](repeating: 1, count: 64), named: "server")
        #expect(
            try container.noteSignature(
                [UInt8](repeating: 2, count: 32),
                of: key,
                validUntil: clock.now.adding(seconds: 1_200)
            )
        )
        try account.addIdentity(issuer: "https://id.example.com", subject: "1815")
        let end = service.clock().adding(seconds: 600)
        _ = try account.beginSignIn(until: end)
        let newcomer = try EmailAddress("newcomer@example.com")
        _ = try service.write { db in
            try service.requestPendingSignIn(AccountID(.make()), newcomer, pass: "", isFirst: true, until: end, db)
        }
        let code = try container.makeSignInCode(
            for: account,
            apiToken: token,
            isLasting: false,
            challenge: nil,
            returnURL: nil
        )
        let web = try container.redeemSignInCode(code, verifier: nil, apiToken: token, returnURL: nil)
        clock.advance(seconds: 301)
        #expect(try container.session(webAuthToken: #require(web).webAuthToken, apiToken: token)?.renewed != nil)
    }

    /// Adds assets that records name, and some that none names.
    package func addAssets(of session: Session) throws {
        for database in [session.publicDatabase, session.privateDatabase] {
            var note = try Record(type: "Note")
            try note.set("file", to: .asset(database.upload([1, 2, 3])))
            _ = try database.save(note)
            _ = try database.upload([4])
        }
    }

    /// Adds a deleted asset whose chunks this service does not remove.
    package func addRemovedAsset(of session: Session) throws {
        service.sweeper.stop()
        let upload = try session.privateDatabase.beginUpload()
        try upload.write([UInt8](repeating: 5, count: 1_500_000))
        upload.cancel()
    }

    /// Adds a build of indexes that this service does not end.
    package func addIndexBuild() throws {
        service.indexBuilder.stop()
        try change("INSERT INTO index_builds VALUES (1, 999, $1, 0, 0, 0, 0, 9)", .bytes([]))
    }

    /// Makes records that refer to each other in each way.
    package func addReferences(to database: Database, zone: String = RecordID.defaultZone) throws {
        let (list, shop) = (try RecordID("list", zone: zone), try RecordID("shop", zone: zone))
        for id in [list, shop] { _ = try database.save(Record(type: "Item", id: id)) }
        var item = try Record(type: "Item", id: RecordID("item", zone: zone))
        try item.setParent(list)
        try item.set("list", to: .reference(Reference(list, action: .deleteSelf)))
        try item.set("shops", to: .referenceList([Reference(shop, action: .validate)]))
        _ = try database.save(item)
    }

    /// Makes a zone with a record and a deleted one, and deletes another zone.
    package func addZones(to database: Database) throws {
        try database.save(RecordZone("Notes"))
        for name in ["kept", "gone"] {
            var note = try Record(type: "Note", id: RecordID(name, zone: "Notes"))
            try note.set("title", to: .string(name))
            try note.set("place", to: .location(Location(latitude: 51.5, longitude: -0.1)))
            _ = try database.save(note)
        }
        try database.delete(RecordID("gone", zone: "Notes"))
        try database.save(RecordZone("Old notes"))
        try database.deleteZone("Old notes")
        try Sweeper.sweep(service.store)
    }

    /// Has changes kept in the outbox, as subscriptions do.
    ///
    /// - Parameter user: Whose private database; nil for the public one.
    package func addOutboxReader(of user: UserRecordID?) throws {
        try service.write { db in
            let keys = try service.keys(ofContainer: container.number, in: db)
            let place = RecordPlace(ofPrivate: user, in: container.number, keys)
            try OutboxTable.noteReaders(of: place, db)
        }
    }
}

extension Service {
    /// Makes the notifications of all changes so far, however long that takes.
    package func makeNotifications() {
        while (try? fanOut.runBatch(self, until: .never, isEnding: true)) == true {}
    }
}
