import Foundation
import KinfolkStorage
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

    /// Runs a statement in SQLite's words, or in those of the server.
    private func damage(_ sql: String) throws {
        var sql = sql
        if !TemporaryFolder.hasFiles {
            sql = sql.replacing(/zeroblob\((\d+)\)/) { "decode(repeat('00', \($0.1)), 'hex')" }
                .replacing(/x'([0-9a-f]*)'/) { "decode('\($0.1)', 'hex')" }
        }
        try store.service.write { db in try db.using(composed: sql, []) { while try $0.step() {} } }
    }

    @Test func eachTableIsCheckedByOnePart() throws {
        let checked = StoreChecker.parts.flatMap(\.tables)
        #expect(Set(checked).count == checked.count)
        #expect(try Schema.migrations.tables().map(\.name).sorted() == checked.sorted())
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

    @Test func aStoreIsSoundInTheMiddleOfARotationAndOfABuild() throws {
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

    @Test(
        arguments: [
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
                    "emails unexpected", "verification_codes unexpected", "email_claims unexpected", "users unexpected",
                    "directory unexpected", "private_directory unexpected", "identities unexpected",
                    "limits unexpected",
                ]
            ),
            ("UPDATE limits SET spent = spent + 1", ["limits changed"]),
            ("UPDATE email_claims SET opened_at = 1", ["email_claims sealed"]),
            ("UPDATE email_claims SET sealed_address = zeroblob(100)", ["email_claims sealed"]),
            ("UPDATE address_history SET day = day + 1", ["address_history sealed"]),
            ("UPDATE address_history_keys SET sealed_key = x'00'", ["address_history_keys sealed"]),
            (
                "UPDATE containers SET name = name || 'x'",
                ["containers changed", "directories changed", "private_directory missing"]
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
            ("UPDATE records SET is_private = 1 - is_private", ["records sealed"]),
            ("UPDATE fields SET type = 99", ["fields damaged"]),
            ("UPDATE wordings SET sealed_wording = x''", ["wordings sealed", "consents sealed"]),
            ("UPDATE audit SET sealed_reason = x'0102'", ["audit sealed"]),
            ("UPDATE service SET value = zeroblob(40) WHERE name = 'counter'", ["service changed"]),
            ("UPDATE service SET value = x'00' WHERE name = 'bucket_seed'", ["service sealed", "directories sealed"]),
            ("UPDATE service SET value = zeroblob(24) WHERE name = 'claim_wait'", ["service sealed"]),
        ] as [(String, [String])]
    ) func damageIsFoundInItsTable(_ sql: String, _ expected: [String]) throws {
        _ = try store.fillEachTable()
        try store.service.setClaimWait(100)
        try damage(sql)
        let found = try findings()
        for finding in expected { #expect(found.contains(finding), "\(finding) of \(found)") }
        // Nothing else is found, except consequences of the damage.
        let tables = Set(expected.map { $0.split(separator: " ")[0] }).union(["identities", "directory", "accounts"])
        #expect(found.allSatisfy { tables.contains($0.split(separator: " ")[0]) }, "\(found)")
    }

    @Test func rowsThatLeadToAnotherPersonAreFound() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        _ = try store.discoverable("Bob", emails: "bob@example.com")
        try store.change(
            "UPDATE directory SET record_id = (SELECT record_id FROM directory ORDER BY record_id LIMIT 1)"
        )
        #expect(try findings() == ["directory missing", "directory unexpected"].sorted { _, _ in false })
    }

    @Test func theReportNamesNobody() throws {
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
