import Foundation
import KinfolkFiles
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// A store whose rows an attacker wrote: whatever they contain, each call soon returns a result or an error.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct ExtremeValueTests {
    /// The values to write into columns of bytes and texts, and into those of numbers.
    private static let values = ["NULL", "9223372036854775807", "x''", "zeroblob(70000)"]
    private static let numbers = ["NULL", "9223372036854775807", "-9223372036854775808", "'text'"]

    private struct Column {
        let name: String
        let isNumber: Bool
    }

    /// The tables of a store, each with rows.
    private static let tables: [(name: String, columns: [Column])] = {
        guard let folder = try? source.get(), let raw = try? RawDatabase(folder.file("kinfolk.db")),
            let list = try? raw.value(
                """
                SELECT group_concat(m.name || '.' || c.name || '.' || (c.type NOT IN ('BLOB', 'TEXT')), ' ') FROM sqlite_master m, pragma_table_info(m.name) c
                WHERE m.type = 'table'
                """
            )
        else { return [] }
        let columns = list.split(separator: " ").map { $0.split(separator: ".").map(String.init) }
        return Dictionary(grouping: columns, by: { $0[0] })
            .map { table, columns in (table, columns.map { Column(name: $0[1], isNumber: $0[2] == "1") }) }
            .sorted { $0.name < $1.name }
    }()

    /// The folder of a store with rows, which each test copies.
    private static let source = Result { try filled(TemporaryFolder()) }

    private static func filled(_ folder: TemporaryFolder) throws -> TemporaryFolder {
        let path = folder.file("kinfolk.db")
        try fill(path)
        // In all lanes, because a service chooses one at random.
        try RawDatabase(path).run(
            """
            WITH RECURSIVE lanes(lane) AS (SELECT 0 UNION ALL SELECT lane + 1 FROM lanes WHERE lane < 15)
            INSERT OR IGNORE INTO directory_lanes SELECT container_id, lane, 0 FROM containers, lanes;
            WITH RECURSIVE lanes(lane) AS (SELECT 0 UNION ALL SELECT lane + 1 FROM lanes WHERE lane < 15)
            INSERT OR IGNORE INTO directory_counts SELECT container_id, epoch, lane, 0 FROM directories, lanes;
            """
        )
        return folder
    }

    private static func fill(_ path: String) throws {
        let service = try Service.open(path)
        let container = try service.createContainer("com.example.notes")
        try container.setDirectoryModes([.hashed, .private])
        func session(_ name: String) throws -> Session {
            let account = try service.createAccount(
                name: PersonName(givenName: name),
                emails: [email(name)],
                verified: true
            )
            let session = try container.session(for: account)
            try session.setDiscoverability(.granted, wording: TestService.wording)
            return session
        }
        let (ada, bob) = (try session("ada"), try session("bob"))
        let account = try service.account(#require(ada.account))
        try account.addEmail("other@example.com")
        _ = try account.requestVerification(of: EmailAddress("other@example.com"))
        try ada.block(UserRecordID("_" + String(repeating: "1", count: 32)))
        try container.block(bob.userRecordID(), from: UserRecordID("_" + String(repeating: "2", count: 32)))
        for database in DatabaseScope.allCases {
            var record = try ada.fetchUserRecord(in: database)
            try record.set("city", to: .string("Lund"))
            _ = try ada.save(record)
        }
        _ = try container.account(of: ada.userRecordID(), reason: "Ticket 1")
        _ = try ada.discover(EmailAddress(email("bob")))
        _ = try ada.discoverPrivately(book(email("bob")))
    }

    private static func email(_ name: String) -> String { "\(name)@example.com" }

    /// Makes every call for which the needed objects exist. Errors are accepted, except internal ones.
    private static func callEverything(_ path: String) -> [String] {
        var faults: [String] = []
        func attempt(_ call: String, _ body: () throws -> some Any) {
            do { _ = try body() } catch { note(call, error) }
        }
        func note(_ call: String, _ error: any Error) {
            let error = KinfolkError(error)
            if error.code == .internalError { faults.append("\(call): \(error.reason)") }
        }
        do {
            let service = try Service(
                path: FilePath(path),
                key: .besideStore,
                existingOnly: true,
                wait: 5,
                filteredFrom: 1
            )
            attempt("accounts") { try service.accounts() }
            attempt("containers") { try service.containers().map(\.name) }
            attempt("createContainer") { try service.createContainer("com.example.other") }
            attempt("auditLog") { try service.auditLog() }
            attempt("accept") { try Service.acceptOlder(path) }
            attempt("createAccount") {
                try service.createAccount(name: PersonName(), emails: ["new@example.com"], verified: true)
            }
            let container = try service.container("com.example.notes")
            attempt("permitLimit") { try container.permitLimit() }
            attempt("statistics") { try container.statistics() }
            attempt("epochs") { try container.privateEpochs() }
            attempt("modes") { try container.directoryModes() }
            attempt("renew") { try container.renewPrivateKey() }
            for name in ["ada", "bob", "new"] {
                let address = try EmailAddress(email(name))
                attempt("account") { try service.account(email: address) }
                guard let account = try? service.account(email: address) else { continue }
                attempt("name") { try account.name() }
                attempt("emails") { try account.emails() }
                attempt("export") { try account.export() }
                attempt("request") { try account.requestVerification(of: EmailAddress("other@example.com")) }
                attempt("verify") { try account.verifyEmail(EmailAddress("other@example.com"), code: "000000") }
                attempt("setName") { try account.setName(PersonName(givenName: "Other")) }
                attempt("suspend") { try account.suspend() }
                attempt("resume") { try account.resume() }
                guard let session = try? container.session(for: account) else { continue }
                attempt("status") { session.accountStatus() }
                attempt("discover") { try session.discover(EmailAddress(email("bob"))) }
                attempt("discover book") {
                    var book = try book(email("bob"))
                    for number in 0..<120 { try book.add(email: "nobody\(number)@example.com") }
                    return try session.discover(book)
                }
                attempt("discover privately") { try session.discoverPrivately(book(email("bob")), threads: 1) }
                attempt("permits") { try session.permitsLeft() }
                attempt("record") { try session.save(session.fetchUserRecord()) }
                attempt("private record") { try session.fetchUserRecord(in: .private) }
                attempt("blocked") { try session.blockedUserRecordIDs() }
                attempt("block") { try session.block(UserRecordID("_" + String(repeating: "3", count: 32))) }
                attempt("deny") { try session.setDiscoverability(.denied, wording: TestService.wording) }
                attempt("lookup") { try container.account(of: session.userRecordID(), reason: "Ticket 2") }
                attempt("observe") { try session.observeAccount {} }
            }
            attempt("removeField") { try container.removeField("city") }
            attempt("setDirectoryModes") { try container.setDirectoryModes(.hashed) }
            attempt("rotate") { try service.rotateKeys() }
            for account in (try? service.accounts()) ?? [] { attempt("erase") { try account.erase() } }
        } catch { note("open", error) }
        return faults
    }

    @Test func thereAreTablesToTest() { #expect(ExtremeValueTests.tables.count > 20) }

    @Test(arguments: tables.map(\.name)) func noStoredValueCausesATrapOrAHang(_ table: String) throws {
        let source = try ExtremeValueTests.source.get()
        let original = source.file("kinfolk.db")
        let columns = ExtremeValueTests.tables.first { $0.name == table }?.columns ?? []
        let changes = columns.flatMap { column in
            (column.isNumber ? ExtremeValueTests.numbers : ExtremeValueTests.values).map { (column.name, $0) }
        }
        var count = 0
        // All of them in a long search. Otherwise one that the store accepts.
        for (column, value) in changes.shuffled() {
            let folder = try TemporaryFolder()
            let path = folder.file("kinfolk.db")
            try FileManager.default.copyItem(atPath: original, toPath: path)
            try FileManager.default.copyItem(atPath: source.file("kinfolk.key"), toPath: folder.file("kinfolk.key"))
            // A column that may not be NULL refuses it.
            let change = "UPDATE OR REPLACE \(table) SET \(column) = \(value)"
            guard (try? RawDatabase(path).run(change)) != nil else { continue }
            #expect(ExtremeValueTests.callEverything(path) == [], "\(table).\(column) = \(value)")
            count += 1
            if !Search.isLong { break }
        }
        #expect(count > 0)
    }
}
