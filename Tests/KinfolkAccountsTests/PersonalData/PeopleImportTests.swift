import Foundation
import Kinfolk
import KinfolkFiles
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@Suite struct PeopleImportTests {
    private let store: TestService

    init() throws { store = try TestService() }

    /// Imports rows of `given_name,email,consent`.
    private func importPeople(_ rows: [String], batchSize: Int = 50_000) throws -> PeopleImport {
        let file = store.folder.file("people.csv")
        try "given_name,email,consent\n\(rows.joined(separator: "\n"))\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        return try store.service.importPeople(
            fromFile: FilePath(file),
            into: store.container,
            wording: TestService.wording,
            batchSize: batchSize
        )
    }

    private func account(_ email: String) throws -> Account {
        try store.service.account(email: EmailAddress(email))
    }

    /// The name of the account with an address; nil if there is none.
    private func owner(_ email: String) throws -> String? {
        do {
            return try account(email).name().givenName
        } catch let error as KinfolkError where error.code == .unknownItem {
            return nil
        }
    }

    // MARK: Who is made

    /// Uses many pairs, so that for about half of them the tags are not in the order of the rows.
    @Test(arguments: [50_000, 7, 1])
    func theFirstRowWithAnAddressWinsWithinABatchAndAcrossBatches(batchSize: Int) throws {
        let first = (0..<40).map { "First\($0),person\($0)@example.com,yes" }
        let second = (0..<40).reversed().map { "Second\($0),PERSON\($0)@example.com,yes" }
        let report = try importPeople(first + second, batchSize: batchSize)
        #expect(report.rows == 80)
        #expect(report.created == 40)
        #expect(report.linesTaken == Array(42...81))
        for number in 0..<40 { #expect(try owner("person\(number)@example.com") == "First\(number)") }
    }

    @Test(arguments: [50_000, 1])
    func aPersonWithOneTakenAddressIsNotImported(batchSize: Int) throws {
        _ = try store.account("Known", emails: "known@example.com")
        let report = try importPeople(
            [
                "Ada,ada@example.com ::: ada@example.org ::: ada@example.net,yes",
                // Each is refused because of its first or last address, or one of an existing account. So their other addresses stay free.
                "Bo,bo@example.com ::: ada@example.net,yes",
                "Cy,ada@example.org ::: cy@example.com,yes",
                "Di,di@example.com ::: known@example.com ::: di@example.org,yes",
                "Ed,bo@example.com ::: cy@example.com ::: di@example.org,yes",
            ],
            batchSize: batchSize
        )
        #expect(report.created == 2)
        #expect(report.linesTaken == Array(3...5))
        for email in ["ada@example.com", "ada@example.org", "ada@example.net"] { #expect(try owner(email) == "Ada") }
        for email in ["bo@example.com", "cy@example.com", "di@example.org"] { #expect(try owner(email) == "Ed") }
        #expect(try owner("di@example.com") == nil)
        #expect(try store.number("SELECT count(*) FROM accounts") == 3)
        #expect(try store.directoryRows() == [6, 2])
    }

    @Test func skippedRowsAreListedInTheOrderOfTheFile() throws {
        let report = try importPeople([
            "Ada,ada@example.com,yes", "Twin,ada@example.com,yes", "Bad,nonsense,yes", "Twin,ada@example.com,yes",
            "None,,yes",
        ])
        #expect(report.skipped.map(\.line) == [3, 4, 5, 6])
        #expect(report.skippedCount == 4)
    }

    /// During a key rotation, an account's address may be stored under the tag of either epoch.
    @Test func aTakenAddressIsDetectedDuringAKeyRotation() throws {
        _ = try importPeople(["Ada,ada@example.com,yes"])
        _ = try store.service.beginRotation(to: nil)
        let report = try importPeople(["Eve,ada@example.com,yes", "Bo,bo@example.com,yes"])
        #expect(report.created == 1)
        #expect(report.linesTaken == [2])
        #expect(try owner("ada@example.com") == "Ada")
    }

    // MARK: What is there afterwards

    @Test(arguments: [50_000, 32])
    func importedPeopleAreFoundAccordingToTheirDecisions(batchSize: Int) throws {
        let decisions = ["yes", "no", ""]
        let rows = (0..<200).map { number in
            "Given\(number),p\(number)@example.com ::: p\(number)@example.org,\(decisions[number % 3])"
        }
        let report = try importPeople(rows, batchSize: batchSize)
        #expect(report.created == 200)
        #expect(report.granted == 67)
        #expect(report.denied == 67)
        #expect(report.undetermined == 66)
        let seeker = try store.session("Seeker")
        for number in 0..<200 {
            let account = try account("p\(number)@example.org")
            #expect(try account.emails().map(\.spelling) == ["p\(number)@example.com", "p\(number)@example.org"])
            let session = try store.container.session(for: account)
            let expected: Discoverability = [.granted, .denied, .undetermined][number % 3]
            #expect(try session.discoverability() == expected)
            for domain in ["com", "org"] {
                let found = try seeker.discover(EmailAddress("p\(number)@example.\(domain)"))
                #expect(found?.name.givenName == (expected == .granted ? "Given\(number)" : nil))
                #expect(try found?.userRecordID == (expected == .granted ? session.userRecordID() : nil))
            }
        }
    }

    @Test func anInterruptedImportCanBeRunAgain() throws {
        let rows = (0..<95).map { "Given\($0),p\($0)@example.com,yes" }
        let first = try importPeople(Array(rows.prefix(45)), batchSize: 10)
        #expect(first.created == 45)
        let again = try importPeople(rows, batchSize: 10)
        #expect(again.created == 50)
        #expect(again.linesTaken == Array(2...46))
        #expect(try store.directoryRows() == [95, 95])
    }

    // MARK: What the store tells without its key

    /// An attacker who has the files and a sorted list of the people must not be able to match rows to people.
    @Test func theStoreDoesNotRevealTheOrderOfTheFile() throws {
        let emails = (0..<200).map { String(format: "p%03d@example.com", $0) }
        _ = try importPeople(emails.map { "Given,\($0),yes" })
        let places = try store.service.read { db in
            var records: [UserRecordID: Int] = [:]
            let found = try db.all("SELECT record_id FROM directory ORDER BY sequence") { $0.bytes(0) }
            for (place, record) in found.enumerated() {
                let id = try #require(record.withUnsafeBytes(RandomID.init(bytes:)))
                records[UserRecordID(id)] = place
            }
            return records
        }
        let order = try emails.map { email in
            try #require(places[store.container.session(for: account(email)).userRecordID()])
        }
        #expect(Set(order).count == 200)
        // About half of the neighbours in the file have the same order in the store: 99.5 on average, standard deviation 4.1.
        let rising = zip(order, order.dropFirst()).filter { $0 < $1 }.count
        #expect((60...140).contains(rising), "by chance once in 10^20 times")
    }

    @Test func sequenceNumbersRiseFromBatchToBatchAndAreUnique() throws {
        let rows = (0..<30).map { "Given,p\($0)@example.com ::: p\($0)@example.org,yes" }
        var last = 0
        for batch in 0..<3 {
            _ = try importPeople(Array(rows[batch * 10..<batch * 10 + 10]))
            // All rows of one service are in its lane.
            let new = try store.service.read { db in
                try db.all(
                    """
                    SELECT min(d.sequence - l.start), max(d.sequence - l.start), count(DISTINCT d.sequence)
                    FROM directory d, (SELECT lane * 72057594037927936 AS start FROM directory_lanes) AS l
                    WHERE d.sequence - l.start > $1
                    """,
                    .integer(Int64(last))
                ) { (Int($0.integer(0)), Int($0.integer(1)), Int($0.integer(2))) }[0]
            }
            #expect(new == (last + 1, last + 10, 10))
            last = new.1
        }
        #expect(try store.number("SELECT row_count FROM directory_lanes") == 30)
    }

    // MARK: Progress

    /// While another process writes, the import waits, and still reports progress.
    /// If the caller ends the import, the current batch is finished, and its people are counted.
    @Test func anImportThatEndsEarlyReportsAllCreatedPeople() throws {
        let file = store.folder.file("people.csv")
        let rows = (1...5_000).map { "person\($0)@example.com\n" }.joined()
        try "email\n\(rows)".write(toFile: file, atomically: true, encoding: .utf8)
        var reports: [PeopleImport] = []
        #expect(throws: KinfolkError.cancelled) {
            _ = try store.service.importPeople(
                fromFile: FilePath(file),
                into: store.container,
                wording: nil,
                batchSize: 1_000,
                progress: { _ throws(KinfolkError) in throw .cancelled },
                unfinished: { reports.append($0) }
            )
        }
        let made = try store.service.accounts(after: nil, limit: 10_000).count
        #expect(reports.map(\.created) == [made])
        #expect(made > 0)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func progressIsReportedAtLeastEveryHalfSecond() throws {
        let held = try RawDatabase(store.path)
        try held.run("BEGIN IMMEDIATE")
        let moments = Lock<[UInt64]>([Deadline.now])
        let file = store.folder.file("people.csv")
        let rows = (0..<5_000).map { "Given\($0),p\($0)@example.com,yes" }.joined(separator: "\n")
        try "given_name,email,consent\n\(rows)\n".write(toFile: file, atomically: true, encoding: .utf8)
        let caller = KinfolkThreads.Thread.current
        var progress: [PeopleImport.Progress] = []
        _ = try store.service.importPeople(fromFile: file, into: store.container, wording: TestService.wording) {
            #expect(KinfolkThreads.Thread.current == caller)
            progress.append($0)
            let count = moments.withLock { moments in
                moments.append(Deadline.now)
                return moments.count
            }
            if count == 10 { try? held.run("COMMIT") }
        }
        let gaps = moments.withLock { zip($0, $0.dropFirst()).map { $1 - $0 } }
        #expect(gaps.count >= 9)
        // Twice the documented interval, because other tests run at the same time.
        #expect(gaps.allSatisfy { $0 < 1_000_000_000 })
        #expect(progress.map(\.rows) == progress.map(\.rows).sorted())
        #expect(progress.last?.rows == 5_000)
        #expect(progress.last?.share == 1)
        #expect(progress.first?.rows == 0, "nobody was made yet")
    }
}

extension PeopleImport {
    fileprivate var linesTaken: [Int] { skipped.filter { $0.reason == .addressTaken }.map(\.line) }
}
