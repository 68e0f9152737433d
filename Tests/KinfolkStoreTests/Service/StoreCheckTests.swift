import Foundation
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// A check of a sound store finds nothing, and each kind of damage is found in its table.
@Suite struct StoreCheckTests {
    private typealias Kind = StoreCheck.Finding.Kind

    private let store: TestService

    init() throws { store = try TestService() }

    /// The findings, as "table kind".
    private func findings(_ service: Service? = nil) throws -> [String] {
        try (service ?? store.service).check().findings.map { "\($0.table) \($0.kind)" }
    }

    /// Runs a statement in SQLite's syntax, or in the server's.
    private func damage(_ sql: String) throws {
        var sql = sql
        if !TemporaryFolder.hasFiles {
            sql = sql.replacing(/zeroblob\((\d+)\)/) { "decode(repeat('00', \($0.1)), 'hex')" }
                .replacing(/x'([0-9a-f]*)'/) { "decode('\($0.1)', 'hex')" }
        }
        try store.service.write { db in try db.using(composed: sql, []) { while try $0.step() {} } }
    }

    @Test func noTableIsCheckedByTwoParts() throws {
        let checked = StoreChecker.parts.flatMap(\.tables)
        #expect(Set(checked).count == checked.count)
        #expect(Set(checked).isSubset(of: Tables.all.map(\.name)))
    }

    @Test func aSoundStoreHasNoFindings() throws {
        #expect(try store.service.check().isSound)
        _ = try store.fillEachTable()
        var steps: [(Int, Int)] = []
        let check = try store.service.check { steps.append(($0, $1)) }
        #expect(check.findings == [])
        #expect(check.tables.filter { $0.rows == 0 }.map(\.name) == [])
        let last = try #require(steps.last)
        #expect(last.0 == last.1 && last.1 == check.rows)
        #expect(zip(steps.dropFirst(), steps).allSatisfy { $0.0 >= $1.0 })
    }

    @Test func aStoreIsSoundDuringARotationAndABuild() throws {
        for number in 0..<150 { _ = try store.discoverable(emails: "p\(number)@example.com") }
        _ = try store.container.beginPrivateEpoch()
        while try store.container.buildBatch(of: 1, size: 40) != nil { #expect(try findings() == []) }
        let service = store.service
        _ = try service.rotateKeys { _ in
            do { #expect(try service.check().findings == []) } catch { Issue.record(error) }
        }
        #expect(try findings() == [])
        try store.container.setDirectoryModes([.hashed])
        _ = try service.rotateKeys(isLeaked: true)
        #expect(try findings() == [])
    }

    @Test func normalUseLeavesAStoreSound() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com", "ada@example.net")
        let bob = try store.discoverable("Bob", emails: "bob@example.com")
        try store.container.setDirectoryModes([.hashed, .private])
        try ada.block(bob.userRecordID())
        try store.account(of: ada).removeEmail(EmailAddress("ada@example.net"))
        #expect(try findings() == [])
        try store.account(of: bob).suspend()
        #expect(try findings() == [])
        try store.account(of: bob).resume()
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        #expect(try findings() == [])
        _ = try store.account(of: bob).erase()
        #expect(try findings() == [])
    }

    @Test func deletingAContainerLeavesAStoreSound() throws {
        _ = try store.fillEachTable()
        try store.service.deleteContainer("com.example.notes")
        #expect(try findings() == [])
        #expect(try store.service.check().tables.first { $0.name == "directory" }?.rows == 0)
    }

    @Test func restoredRowsOfADeletedContainerAreFoundInEachTable() throws {
        _ = try store.fillEachTable()
        try store.service.deleteContainer("com.example.notes")
        let tables = try Tables.described().filter(\.table.isOfContainer).map(\.description)
        for table in tables {
            let values = table.columns.map { column in
                switch column.type {
                // A number that no other row has, but the number of the container.
                case .integer, .real: column.name == "container_id" ? "1" : "99"
                case .text: "'text'"
                case .bytes: "zeroblob(16)"
                }
            }
            try damage("INSERT INTO \(table.name) VALUES (\(values.joined(separator: ", ")))")
        }
        let found = try findings().filter { $0.hasSuffix("unexpected") }
        #expect(found == tables.map { "\($0.name) unexpected" })
        #expect(found.count > 15)
    }

    @Test(
        arguments: Search.some(
            [
                ("UPDATE accounts SET is_suspended = 1", ["accounts changed"]),
                ("UPDATE accounts SET sealed_name = substr(sealed_name, 1, 40)", ["accounts changed"]),
                ("UPDATE emails SET is_discoverable = 0", ["accounts changed"]),
                (
                    "DELETE FROM verified_emails WHERE tag = (SELECT tag FROM verified_emails ORDER BY tag LIMIT 1)",
                    ["accounts changed"]
                ),
                ("INSERT INTO verified_emails VALUES (zeroblob(16), zeroblob(16))", ["verified_emails unexpected"]),
                ("UPDATE users SET created_at = 5", ["accounts changed"]),
                ("UPDATE consents SET decided_at = 5", ["accounts changed"]),
                ("INSERT INTO blocks VALUES (1, zeroblob(16), zeroblob(16), 0)", ["blocks unexpected"]),
                (
                    "DELETE FROM accounts",
                    [
                        "emails unexpected", "verification_codes unexpected", "email_claims unexpected",
                        "users unexpected",
                        "consents unexpected", "directory unexpected", "private_directory unexpected",
                        "identities unexpected", "limits unexpected", "server_keys unexpected",
                        "web_sessions unexpected",
                        "sign_ins unexpected",
                        "linked_identities unexpected",
                    ]
                ),
                ("UPDATE limits SET spent = spent + 1", ["limits changed"]),
                ("UPDATE email_claims SET opened_at = 1", ["email_claims sealed"]),
                ("UPDATE email_claims SET sealed_address = zeroblob(100)", ["email_claims sealed"]),
                ("UPDATE address_history SET day = day + 1", ["address_history sealed"]),
                ("UPDATE address_history_keys SET sealed_key = x'00'", ["address_history_keys sealed"]),
                (
                    "UPDATE containers SET name = name || 'x'",
                    [
                        "containers changed", "directories changed", "private_directory missing",
                        "private_directory unexpected",
                    ]
                ),
                ("UPDATE container_limits SET permit_capacity = 7", ["container_limits changed"]),
                ("DELETE FROM container_limits", ["container_limits changed"]),
                (
                    "DELETE FROM directory WHERE tag = (SELECT tag FROM directory ORDER BY tag LIMIT 1)",
                    [
                        "directory missing"
                    ]
                ),
                (
                    "INSERT INTO directory SELECT 1, zeroblob(16), record_id, sequence FROM directory LIMIT 1",
                    [
                        "directory unexpected"
                    ]
                ),
                ("UPDATE directory SET sequence = sequence + 1000000", ["directory_lanes miscounted"]),
                (
                    "DELETE FROM identities WHERE record_id = (SELECT record_id FROM identities ORDER BY record_id LIMIT 1)",
                    ["identities missing"]
                ),
                ("UPDATE identities SET sealed_identity = zeroblob(100)", ["identities sealed"]),
                ("INSERT INTO identities VALUES (1, zeroblob(16), zeroblob(100))", ["identities unexpected"]),
                ("DELETE FROM private_directory", ["directory_counts miscounted", "private_directory missing"]),
                ("UPDATE private_directory SET code = zeroblob(8)", ["private_directory changed"]),
                ("UPDATE directory_counts SET row_count = row_count + 3", ["directory_counts miscounted"]),
                ("UPDATE directories SET public_key = zeroblob(32) WHERE epoch > 0", ["directories changed"]),
                ("UPDATE records SET sealed_fields = zeroblob(100)", ["records sealed"]),
                (
                    "UPDATE records SET owner = zeroblob(0) WHERE length(owner) > 0",
                    ["records damaged", "records sealed"]
                ),
                ("UPDATE record_bytes SET bytes = bytes + 1", ["record_bytes miscounted"]),
                ("UPDATE record_bytes SET bytes = 9223372036854775807", ["record_bytes miscounted"]),
                ("DELETE FROM record_bytes WHERE kind = 1", ["record_bytes miscounted"]),
                ("UPDATE record_bytes SET lane = lane + 1", []),
                ("UPDATE grants SET permissions = 7", ["record_types changed"]),
                ("UPDATE record_types SET code = NULL WHERE type <> 0", ["record_types changed"]),
                ("UPDATE fields SET value_type = 99", ["fields damaged"]),
                ("UPDATE wordings SET sealed_wording = x''", ["wordings sealed", "consents sealed"]),
                ("UPDATE audit SET sealed_reason = x'0102'", ["audit sealed"]),
                ("UPDATE service SET value = zeroblob(40) WHERE name = 'counter'", ["service changed"]),
                (
                    "UPDATE service SET value = x'00' WHERE name = 'bucket_seed'",
                    ["service sealed", "directories sealed"]
                ),
                ("UPDATE service SET value = zeroblob(24) WHERE name = 'claim_wait'", ["service sealed"]),
                (
                    "UPDATE container_keys SET sealed_key = zeroblob(80)",
                    ["container_keys sealed", "directories sealed"]
                ),
                ("UPDATE containers SET private_epoch = 0", ["containers damaged"]),
                ("UPDATE directories SET state = 9 WHERE epoch = 0", ["directories damaged"]),
                ("INSERT INTO directory_lanes VALUES (1, 16, 0)", ["directory_lanes damaged"]),
                // Rows without the row to which they refer: an account, a person in a container, a container.
                (
                    "INSERT INTO emails VALUES (zeroblob(16), zeroblob(16), 1, zeroblob(80), 1, NULL, 0)",
                    ["emails unexpected"]
                ),
                (
                    "INSERT INTO verification_codes VALUES (zeroblob(16), 1, zeroblob(16), 0, zeroblob(16), 0, 0)",
                    ["verification_codes unexpected"]
                ),
                (
                    "INSERT INTO users VALUES (zeroblob(16), 1, zeroblob(16), zeroblob(16), 0, 0, '')",
                    ["users unexpected"]
                ),
                (
                    "INSERT INTO consents VALUES (zeroblob(16), 1, 1, 1, zeroblob(16), 0, zeroblob(16))",
                    ["consents unexpected"]
                ),
                (
                    "INSERT INTO limits VALUES (zeroblob(16), 1, 1, 0, 0, 0, 0, 0, 0, zeroblob(16))",
                    ["limits unexpected"]
                ),
                (
                    "INSERT INTO records VALUES (999, 1, zeroblob(0), 0, zeroblob(16), 0, zeroblob(8), 0, 0, 0, zeroblob(100))",
                    ["records damaged", "records sealed"]
                ),
                ("INSERT INTO directory_counts VALUES (1, 999, 0, 1)", ["directory_counts unexpected"]),
                ("INSERT INTO container_keys VALUES (77, 1, zeroblob(80))", ["container_keys unexpected"]),
                (
                    "INSERT INTO container_limits VALUES (77, 1, 1, 1, 1, 1, 1, zeroblob(16), NULL, NULL, NULL, NULL, NULL)",
                    ["container_limits unexpected"]
                ),
                ("INSERT INTO directories VALUES (77, 0, 0, x'', x'', x'', 0, 0)", ["directories unexpected"]),
                ("INSERT INTO directory_lanes VALUES (77, 0, 1)", ["directory_lanes unexpected"]),
                ("INSERT INTO wordings VALUES (77, zeroblob(16), zeroblob(80))", ["wordings unexpected"]),
                ("INSERT INTO fields VALUES (77, 0, 'age', 1, 1, 0, 0, 0)", ["fields unexpected"]),
                ("INSERT INTO activity VALUES (77, 0, 0, 0, 0)", ["activity unexpected"]),
                ("INSERT INTO audit VALUES (999, 77, zeroblob(16), NULL, 0)", ["audit unexpected"]),
                ("INSERT INTO directory VALUES (77, zeroblob(16), zeroblob(16), 1)", ["directory unexpected"]),
                ("INSERT INTO identities VALUES (77, zeroblob(16), zeroblob(100))", ["identities unexpected"]),
            ] as [(String, [String])]
        )
    ) func damageIsFoundInItsTable(_ sql: String, _ expected: [String]) throws {
        _ = try store.fillEachTable()
        try store.service.setClaimWait(100)
        try damage(sql)
        let found = try findings()
        #expect(found.sorted() == expected.sorted())
    }

    @Test func rowsThatLeadToAnotherPersonAreFound() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        _ = try store.discoverable("Bob", emails: "bob@example.com")
        try store.change(
            "UPDATE directory SET record_id = (SELECT record_id FROM directory ORDER BY record_id LIMIT 1)"
        )
        #expect(try findings() == ["directory missing", "directory unexpected"])
    }

    @Test func anIdentityFromBeforeAChangeIsFound() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let old = try store.service.read { db in
            try db.first("SELECT sealed_identity FROM identities") { $0.bytes(0) }
        }
        try store.account(of: ada).setName(PersonName(givenName: "Augusta"))
        try store.change("UPDATE identities SET sealed_identity = $1", .bytes(#require(old)))
        #expect(try findings() == ["identities different"])
    }

    @Test func damageOfARootKeyUnderAnotherIsFoundDuringARotation() throws {
        _ = try store.fillEachTable()
        var found: [String]?
        _ = try? store.service.rotateKeys { _ in
            guard found == nil else { return }
            do {
                // The service key opens the newest root key, which opens the older one. That seals the newest one too.
                let older = try store.service.read { db in try store.service.keys(db).epochs.last?.check }
                try store.change(
                    "UPDATE root_keys SET sealed_key = $2 WHERE sealed_under = $1",
                    .tag(#require(older)),
                    .bytes([UInt8](repeating: 0, count: 80))
                )
                found = try findings()
            } catch { Issue.record(error) }
        }
        #expect(found == ["root_keys sealed"])
    }

    // MARK: Values of another type, which only SQLite accepts

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aValueOfAnotherTypeIsFoundInEachColumn() throws {
        _ = try store.fillEachTable()
        for (declared, table) in try Tables.described() {
            for column in table.columns {
                // The column of such a key accepts only integers.
                if table.key.count == 1 && column.name == table.columns[table.key[0]].name && column.type == .integer {
                    continue
                }
                let value = column.type == .text ? "zeroblob(3)" : column.type == .bytes ? "'text'" : "'x'"
                var found = 0
                expect(.cancelled) {
                    try store.service.write { db in
                        #expect(try StoreCheckTable.invalidRows(of: declared, table, db) == 0)
                        let sql = "UPDATE OR IGNORE \(table.name) SET \(column.name) = \(value)"
                        try db.using(composed: sql, []) { while try $0.step() {} }
                        found = try StoreCheckTable.invalidRows(of: declared, table, db)
                        throw KinfolkError.cancelled
                    }
                }
                #expect(found > 0, "\(table.name).\(column.name)")
            }
        }
    }

    @Test(
        .enabled(if: TemporaryFolder.hasFiles),
        arguments: Search.some([
            ("records", "modified_at"), ("records", "change_tag"), ("fields", "name"), ("activity", "discoveries"),
            ("audit", "noted_at"), ("audit", "record_id"), ("containers", "prefix_bits"),
            ("containers", "cover_due"), ("containers", "created_at"), ("verification_codes", "tries"),
            ("users", "revision"), ("accounts", "changes"),
        ])
    ) func aValueOfAnotherTypeInAColumnWithoutACodeIsFound(_ table: String, _ column: String) throws {
        _ = try store.fillEachTable()
        try damage("UPDATE OR IGNORE \(table) SET \(column) = \(column == "name" ? "x'00'" : "'x'")")
        #expect(try findings().contains("\(table) damaged"))
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aDamagedCountOfDiscoveriesIsNotCountedOn() throws {
        let session = try store.session("Ada")
        _ = try session.discover(book("p@example.com"))
        store.service.writePending()
        #expect(try store.number("SELECT discoveries FROM activity") == 1)
        try damage("UPDATE activity SET discoveries = 'x'")
        _ = try session.discover(book("q@example.com"))
        store.service.writePending()
        #expect(try findings().contains("activity damaged"))
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aValueOfAnotherTypeDoesNotEndTheCheckOfItsTable() throws {
        for number in 0..<6 {
            let session = try store.discoverable("Ada", emails: "p\(number)@example.com")
            var record = try session.fetchUserRecord()
            try record.set("number", to: .int64(1))
            _ = try session.save(record)
        }
        func spoilFirst(_ table: String, _ column: String, of key: String = "record_id") throws {
            try damage("UPDATE \(table) SET \(column) = 5 WHERE \(key) = (SELECT min(\(key)) FROM \(table))")
        }
        func counts() throws -> [String] {
            try store.service.check().findings.map { "\($0.table) \($0.kind) \($0.times)" }
        }
        try damage("UPDATE records SET sealed_fields = zeroblob(100)")
        try damage("UPDATE identities SET sealed_identity = zeroblob(100)")
        try spoilFirst("records", "change_tag", of: "number")
        try spoilFirst("identities", "sealed_identity")
        try spoilFirst("directory", "record_id")
        #expect(
            try counts() == [
                "directory damaged 1", "directory missing 1", "directory unexpected 1", "identities damaged 1",
                "identities sealed 6", "records damaged 1", "records sealed 5",
            ]
        )
        try damage("UPDATE accounts SET is_suspended = 1")
        try spoilFirst("accounts", "account_id", of: "account_id")
        let found = try counts()
        #expect(found.contains("accounts damaged 1") && found.contains("accounts changed 5"), "\(found)")
    }

    @Test func theReportNamesNoPerson() throws {
        _ = try store.fillEachTable()
        try damage("UPDATE emails SET sealed_address = zeroblob(80)")
        let check = try store.service.check()
        #expect(!check.isSound)
        #expect(!"\(check)".contains("@"))
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aDamagedPageOfTheFileIsFound() throws {
        for number in 0..<200 { _ = try store.discoverable(emails: "p\(number)@example.com") }
        let copy = store.folder.file("copy.db")
        try store.service.backUp(to: copy)
        let length = try bytes(of: copy).count
        var found = 0
        for page in stride(from: 5, to: length / 4_096, by: 7) {
            let path = store.folder.file("page\(page).db")
            try FileManager.default.copyItem(atPath: copy, toPath: path)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.seek(toOffset: UInt64(page * 4_096))
            try file.write(contentsOf: Data(repeating: 0xa5, count: 64))
            try file.close()
            let key = KeySource.file(TemporaryFolder.keyPath(of: store.path))
            do {
                let check = try Service.open(path, key: key, readOnly: true).check()
                #expect(!check.isSound, "page \(page)")
                found += 1
            } catch { #expect(error.code == .storeCorrupt, "page \(page): \(error)") }
        }
        #expect(found > 0)
    }
}
