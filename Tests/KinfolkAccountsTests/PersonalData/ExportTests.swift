import Foundation
import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct ExportTests {
    private let store: TestService
    private let account: Account

    init() throws {
        store = try TestService()
        account = try store.service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
    }

    private func export() throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(account.export().utf8))
        return try #require(json as? [String: Any])
    }

    @Test func anEmptyAccountIsExportedCompletely() throws {
        let json = try export() as NSDictionary
        let expected: NSDictionary = [
            "account_id": account.id.description, "created_at": "2026-01-01T00:00:00.000000Z", "suspended": false,
            "given_name": "Ada", "family_name": "Example", "emails": [Any](), "identities": [Any](), "codes": [Any](),
            "claims_made": [Any](), "claims_against": [Any](), "containers": [Any](),
        ]
        #expect(json == expected)
    }

    @Test func allStoredDataIsExported() throws {
        try account.addEmail("Ada@Example.com", verified: true)
        store.clock.advance(seconds: 1.5)
        try account.addEmail("ada@example.org")
        try account.setEmailDiscoverable(EmailAddress("ada@example.org"), false)
        let chat = try store.service.createContainer("com.example.chat")
        var ids: [String] = []
        for container in [chat, store.container] {
            let session = try container.session(for: account)
            ids.append(try session.userRecordID().description)
            for database in DatabaseScope.allCases {
                var record = try session.fetchUserRecord(in: database)
                try record.set("note", to: .string("\(container.name) \(database)"))
                _ = try session.save(record)
            }
        }
        _ = try chat.session(for: account).discover(EmailAddress("bob@example.com"))
        try account.suspend()

        let json = try export()
        #expect(json["suspended"] as? Bool == true)
        let emails = try #require(json["emails"] as? [[String: Any]])
        #expect(emails.map { $0["address"] as? String } == ["Ada@Example.com", "ada@example.org"])
        #expect(emails.map { $0["verified_at"] as? String } == ["2026-01-01T00:00:00.000000Z", nil])
        #expect(
            emails.map { $0["added_at"] as? String } == ["2026-01-01T00:00:00.000000Z", "2026-01-01T00:00:01.500000Z"]
        )
        #expect(emails.map { $0["discoverable"] as? Bool } == [true, false])

        let containers = try #require(json["containers"] as? [[String: Any]])
        #expect(containers.map { $0["container"] as? String } == ["com.example.chat", "com.example.notes"])
        #expect(containers.map { $0["user_record_id"] as? String } == ids)
        let limits = containers.map { ($0["limits"] as? [[String: Any]]) ?? [] }
        // Leased permits are not counted as spent.
        #expect(limits.map { $0.map { $0["kind"] as? String } } == [["permits", "fields"], ["fields"]])
        #expect(limits[0].map { $0["spent"] as? Double } == [1, 1])
        for container in containers {
            let name = try #require(container["container"] as? String)
            let records = try #require(container["records"] as? [[String: Any]])
            #expect(records.map { $0["database"] as? String } == ["public", "private"])
            for record in records {
                let fields = try #require(record["fields"] as? [String: [String: String]])
                let database = try #require(record["database"] as? String)
                #expect(fields == ["note": ["type": "string", "value": "\(name) \(database)"]])
            }
        }
    }

    @Test func fieldsOfEveryTypeAreExported() throws {
        let session = try store.container.session(for: account)
        let friend = try store.session("Bob").userRecordID()
        let place = try Location(latitude: 52.5, longitude: -13.25)
        let day = Timestamp(microseconds: -1)
        var values: [(FieldValue, Any)] = [
            (.string("a\"\\\n\u{1}\u{2028}😀"), "a\"\\\n\u{1}\u{2028}😀"), (.int64(.min), Int64.min), (.double(0.1), 0.1),
            (.boolean(true), true), (.bytes([0, 255]), "00ff"), (.date(day), "1969-12-31T23:59:59.999999Z"),
            (.location(place), ["latitude": 52.5, "longitude": -13.25]), (.reference(friend), friend.description),
            (.stringList(["", "b"]), ["", "b"]), (.int64List([1, .max]), [1, Int64.max]),
            (.doubleList([.nan, .infinity, -.infinity, 1e300]), ["nan", "inf", "-inf", 1e300] as [Any]),
            (.booleanList([]), [Any]()), (.bytesList([[1]]), ["01"]),
            (.dateList([day]), ["1969-12-31T23:59:59.999999Z"]),
            (.locationList([place]), [["latitude": 52.5, "longitude": -13.25]]),
            (.referenceList([friend]), [friend.description]),
        ]
        let asset = try session.publicDatabase.upload([1, 2, 3])
        let file: [String: Any] = [
            "file": "assets/\(asset.id.hex)", "size": 3,
            "sha256": "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81",
        ]
        values += [(.asset(asset), file), (.assetList([asset]), [file])]
        var record = try session.fetchUserRecord()
        for (value, _) in values { try record.set("f_\(value.type)", to: value) }
        _ = try session.save(record)

        let containers = try #require(export()["containers"] as? [[String: Any]])
        let records = try #require(containers[0]["records"] as? [[String: Any]])
        let fields = try #require(records[0]["fields"] as? [String: [String: Any]])
        #expect(fields.count == FieldType.allCases.count)
        for (value, expected) in values {
            let field = try #require(fields["f_\(value.type)"])
            #expect(field["type"] as? String == "\(value.type)")
            #expect([field["value"] ?? "missing"] as NSArray == [expected] as NSArray, "\(value.type)")
        }
    }

    @Test func anyNameMakesValidJSON() throws {
        let scalars = (UInt32(0)...0x2100).compactMap(Unicode.Scalar.init) + ["\u{feff}", "\u{ffff}", "\u{10ffff}"]
        for start in stride(from: 0, to: scalars.count, by: 300) {
            let name = scalars[start..<min(start + 300, scalars.count)].reduce(into: "x") {
                $0.unicodeScalars.append($1)
            }
            try account.setName(PersonName(givenName: name))
            let read = try #require(export()["given_name"] as? String)
            #expect(Array(read.utf8) == Array(name.utf8))
        }
    }

    @Test func noDataOfOthersIsExported() throws {
        let session = try store.container.session(for: account)
        let bob = try store.discoverable("Bob", emails: "bob@example.com")
        _ = try bob.discover(book("ada@example.com"))
        _ = try session.discover(EmailAddress("bob@example.com"))
        let text = try account.export()
        #expect(!text.contains("Bob") && !text.contains("bob"))
        #expect(try !text.contains(bob.userRecordID().description))
    }

    // MARK: The export that an application gives to the person

    private func export(_ session: Session) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(session.export().utf8))
        return try #require(json as? [String: Any])
    }

    @Test func aSessionExportsItsContainersPartOfTheAccountsExport() throws {
        try account.addEmail("ada@example.com", verified: true)
        let session = try store.container.session(for: account)
        let bob = try store.session("Bob").userRecordID()
        try session.block(bob)
        try session.setDiscoverability(.granted, wording: TestService.wording)
        _ = try session.discover(EmailAddress("nobody@example.com"))
        for database in DatabaseScope.allCases {
            var record = try session.fetchUserRecord(in: database)
            try record.set("note", to: .string("\(database)"))
            _ = try session.save(record)
        }
        var json = try export(session)
        #expect(json.removeValue(forKey: "given_name") as? String == "Ada")
        #expect(json.removeValue(forKey: "family_name") as? String == "Example")
        let limits = try #require(json.removeValue(forKey: "limits") as? [[String: Any]])
        #expect(limits.map { $0["kind"] as? String } == ["permits", "fields"])
        #expect(limits.map { $0["spent"] as? Int } == [1, 1])
        var whole = try #require((export()["containers"] as? [[String: Any]])?.first)
        whole.removeValue(forKey: "looked_up_at")
        whole.removeValue(forKey: "limits")
        #expect(json as NSDictionary == whole as NSDictionary)
        #expect(json["blocked"] as? [String] == [bob.description])
        #expect((json["discoverability"] as? [[String: String]])?.first?["wording_version"] == "2026-01")
    }

    @Test func aSessionsExportRevealsNeitherAccountNorOtherContainersNorTheOperator() throws {
        try account.addEmail("ada@example.com", verified: true)
        let games = try store.service.createContainer("com.example.games")
        let (here, there) = (try store.container.session(for: account), try games.session(for: account))
        let other = try store.session("Bob").userRecordID()
        try store.container.block(here.userRecordID(), from: other)
        try store.container.block(other, from: here.userRecordID())
        _ = try store.container.account(of: here.userRecordID(), reason: "Ticket 1")
        let text = try here.export()
        for foreign in try [
            account.id.description, "@", "com.example.games", there.userRecordID().description, other.description,
            "Ticket", "looked_up", "Bob",
        ] { #expect(!text.contains(foreign), "\(foreign)") }
        #expect(text.contains("com.example.notes"))
    }

    @Test func leasedPermitsAreNotExportedAsSpent() throws {
        try account.addEmail("ada@example.com", verified: true)
        let session = try store.container.session(for: account)
        for _ in 0..<4 { _ = try session.discover(EmailAddress("nobody@example.com")) }
        func spent(_ account: Account) throws -> Double? {
            let json = try JSONSerialization.jsonObject(with: Data(account.export().utf8)) as? [String: Any]
            let container = (json?["containers"] as? [[String: Any]])?.first
            return (container?["limits"] as? [[String: Any]])?.first?["spent"] as? Double
        }
        #expect(try spent(account) == 4)
        // Until the lease has expired, another process does not know that three of the seven permits are unspent.
        let elsewhere = try store.reopened()
        #expect(try spent(elsewhere.account(account.id)) == 7)
        store.clock.advance(seconds: 150)
        #expect(try spent(elsewhere.account(account.id)) == 4)
        withExtendedLifetime(session) {}
    }

    /// A time that is the same in all containers would reveal which IDs belong to one person.
    @Test func aSessionExportsNoTimeAtWhichLimitsWereCounted() throws {
        try account.addEmail("ada@example.com", verified: true)
        let games = try store.service.createContainer("com.example.games")
        let sessions = try [store.container, games].map { try $0.session(for: account) }
        for session in sessions {
            store.clock.advance(seconds: 100)
            _ = try session.discover(EmailAddress("nobody@example.com"))
        }
        try account.removeEmail(EmailAddress("ada@example.com"))
        store.clock.advance(seconds: 1.234567)
        try account.addEmail("ada@example.com", verified: true)
        let whole = try #require(export()["containers"] as? [[String: Any]])
        let moments = whole.map { (($0["limits"] as? [[String: Any]])?.first?["counted_at"] as? String) ?? "none" }
        #expect(Set(moments).count == 1, "both were counted at once")
        for session in sessions {
            let text = try session.export()
            #expect(!text.contains("counted_at") && !text.contains(moments[0]))
            let limits = try #require(export(session)["limits"] as? [[String: Any]])
            #expect(limits.allSatisfy { ($0["spent"] as? Double)?.truncatingRemainder(dividingBy: 1) == 0 })
        }
    }

    /// Otherwise two applications could link the IDs of a person by the name, although the person is discoverable in neither.
    @Test func aSessionExportsTheNameOnlyWhileOthersCanSeeIt() throws {
        let session = try store.container.session(for: account)
        #expect(try export(session)["given_name"] is NSNull)
        try session.setDiscoverability(.granted, wording: TestService.wording)
        #expect(try export(session)["given_name"] as? String == "Ada")
        try account.suspend()
        #expect(try export(session)["given_name"] is NSNull)
        try account.resume()
        try session.setDiscoverability(.denied, wording: TestService.wording)
        #expect(try !session.export().contains("Ada"))
    }

    @Test func theAsyncFormOfASessionsExportIsTheSame() async throws {
        let session = try await store.container.session(for: account)
        #expect(try await session.export().contains("\"since\""))
    }

    @Test func aSuspendedPersonStillGetsTheExport() throws {
        let session = try store.container.session(for: account)
        try account.suspend()
        #expect((try export(session)["records"] as? [Any])?.count == 2)
        expect(.notAuthenticated) { try store.container.anonymousSession().export() }
        _ = try account.erase()
        expect(.notAuthenticated) { try session.export() }
    }
}
