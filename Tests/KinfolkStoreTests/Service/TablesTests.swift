import Foundation
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk
@testable import KinfolkCore

/// The declarations of the tables are true. What works on all tables is derived from them, or compared with them here.
@Suite struct TablesTests {
    private let store: TestService
    private let ada: Session
    private let grace: Session

    init() throws {
        store = try TestService()
        (ada, grace) = try store.fillEachTable()
    }

    /// A column of a table.
    private struct Place: CustomStringConvertible {
        let table: Table
        let structure: TableDescription
        let column: Table.Column

        var description: String { "\(table.name).\(column.name)" }
    }

    private func places(where isWanted: (Table.Content) -> Bool) throws -> [Place] {
        try Tables.described().flatMap { table, description in
            table.columns.filter { isWanted($0.content) }.map {
                Place(table: table, structure: description, column: $0)
            }
        }
    }

    @Test func eachTableAndColumnIsDeclared() throws {
        let tables = try Schema.migrations.tables()
        #expect(tables.map(\.name).sorted() == Tables.all.map(\.name).sorted())
        for (table, description) in try Tables.described() {
            #expect(table.columns.map(\.name).sorted() == description.columns.map(\.name).sorted(), "\(table.name)")
            if description.has(column: "container_id") {
                #expect(table.isOfContainer || table.name == "containers", "\(table.name) has no container as owner")
            }
            if description.has(column: "account_id") {
                #expect(table.isOfPerson(Tables.all), "\(table.name) has no account as owner")
            }
        }
    }

    @Test func eachOwnerIsDeclaredBeforeWhatBelongsToIt() throws {
        for (index, table) in Tables.all.enumerated() {
            for owner in table.owners where owner.table != "containers" {
                let place = try #require(Tables.all.firstIndex { $0.name == owner.table }, "\(table.name)")
                #expect(place < index, "\(table.name) belongs to \(owner.table)")
                for column in owner.columns {
                    #expect(table.columns.contains { $0.name == column.own })
                    #expect(Tables.all[place].columns.contains { $0.name == column.owners })
                }
            }
        }
    }

    @Test func theCheckFindsAChangeOfEachProtectedColumn() throws {
        let places = try places { content in
            switch content {
            case .authenticated, .sealed, .code, .digest: true
            case .open, .tag, .various: false
            }
        }
        #expect(places.count > 60)
        for place in places {
            var hasFindings = false
            expect(.cancelled) {
                try store.service.write { db in
                    try change(place, db)
                    do { hasFindings = try !StoreChecker.check(db, store.service.keychain).isSound } catch {
                        // Without the store's keys nothing can be checked.
                        #expect(["root_keys", "lasting_keys"].contains(place.table.name), "\(place)")
                        hasFindings = true
                    }
                    throw KinfolkError.cancelled
                }
            }
            #expect(hasFindings, "\(place)")
        }
    }

    /// Changes the value of a column in one row.
    private func change(_ place: Place, _ db: Connection) throws {
        let table = place.structure
        let position = try #require(table.columns.firstIndex { $0.name == place.column.name })
        let hasBytes = table.columns[position].type == .bytes
        let rows = TableRows(table, where: hasBytes ? "length(\(place.column.name)) > 0" : nil)
        var values: [Value] = []
        try rows.forEach(in: .all, limit: 1, db) { rows.append($0, to: &values) }
        let changed: Value
        switch try #require(values.count > position ? values[position] : nil, "\(place) has no row") {
        case .null: changed = .integer(1)
        case .integer(let number): changed = .integer(number == 0 ? 1 : number - 1)
        case .text(let text): changed = .text(text + "x")
        case .bytes(var bytes):
            bytes[bytes.count - 1] ^= 1
            changed = .bytes(bytes)
        case .real, .sixteenBytes: throw StorageError(.misuse)
        }
        let key = table.key.enumerated().map { "\(table.columns[$1].name) = $\($0 + 2)" }.joined(separator: " AND ")
        try db.execute(
            composed: "UPDATE \(table.name) SET \(place.column.name) = $1 WHERE \(key)",
            [changed] + table.key.map { values[$0] }
        )
    }

    @Test(arguments: [false, true]) func aRotationLeavesNoValueUnderTheOldKeys(isLeaked: Bool) throws {
        let places = try places { content in
            switch content {
            case .sealed(.store, _), .sealed(.container, _), .sealed(.epoch, _), .tag(.store), .tag(.container),
                .code(.store):
                true
            default: false
            }
        }
        #expect(places.count > 20)
        let before = try places.map(values)
        _ = try store.service.rotateKeys(isLeaked: isLeaked)
        for (place, before) in zip(places, before) {
            let after = try values(of: place)
            let hasEnded = isLeaked && place.table.name == "web_sessions"
            #expect(!before.isEmpty && after.isEmpty == hasEnded, "\(place)")
            #expect(before.isDisjoint(with: after), "\(place)")
        }
        #expect(try store.service.check().isSound)
    }

    private func values(of place: Place) throws -> Set<[UInt8]> {
        try store.service.read { db in
            // The tag of a user record's name is the user record ID, which no key makes.
            let others = place.description == "records.name_tag" ? "WHERE type <> 0" : ""
            return try db.using(composed: "SELECT \(place.column.name) FROM \(place.table.name) \(others)", []) { row in
                var values: Set<[UInt8]> = []
                while try row.step() {
                    if !row.isNull(0) && !row.bytes(0).isEmpty { values.insert(row.bytes(0)) }
                }
                return values
            }
        }
    }

    @Test func aRotationReachesARecordThatBelongsToNobody() throws {
        let (service, container) = (store.service, store.container.number)
        try service.write { db in
            let keys = try service.keys(ofContainer: container, in: db)
            let id = UserRecordID(.make())
            let content = RecordContent(
                name: id.description,
                creator: id,
                createdAt: service.clock(),
                modifier: id,
                modifiedAt: service.clock(),
                fields: Fields()
            )
            let place = RecordPlace(ofPrivate: nil, in: container, keys)
            _ = try RecordTable.save(content, number: 999, type: 0, changeTag: .first, change: nil, in: place, db)
        }
        let place = try #require(try places { _ in true }.first { $0.description == "records.sealed_fields" })
        let before = try values(of: place)
        _ = try service.rotateKeys()
        let after = try values(of: place)
        #expect(before.count > 1 && after.count == before.count && before.isDisjoint(with: after))
    }

    @Test func anErasureLeavesNothingInATableOfPeople() throws {
        let container = store.container
        _ = try container.account(of: ada.userRecordID(), reason: "Ticket 12")
        let tables = Tables.all.filter { $0.isOfPerson(Tables.all) }
        #expect(tables.count > 10)
        #expect(try tables.filter { try rowCount($0) == 0 }.map(\.name) == [])
        for account in try store.service.accounts() { _ = try account.erase() }
        for table in tables {
            guard case .clearing(let columns) = table.disposal else {
                #expect(try rowCount(table, where: table.isOfSomebody) == 0, "\(table.name)")
                continue
            }
            // The other entries are about IDs that nobody had.
            let ofPeople = "container_id = \(container.number)"
            #expect(try rowCount(table, where: ofPeople) > 0)
            for column in columns {
                #expect(try rowCount(table, where: "\(ofPeople) AND \(column) IS NOT NULL") == 0, "\(table.name)")
            }
        }
        #expect(try store.service.check().isSound)
    }

    private func rowCount(_ table: Table, where condition: String = "1 = 1") throws -> Int {
        try store.service.read { db in
            try db.using(composed: "SELECT count(*) FROM \(table.name) WHERE \(condition)", []) { row in
                try row.step() ? Int(row.integer(0)) : -1
            }
        }
    }

    // MARK: Export

    @Test func theExportShowsEachTableOfAPerson() throws {
        _ = try store.container.account(of: ada.userRecordID(), reason: "Ticket 12")
        let filled = Set(try exports().flatMap { $0 }.filter { !isEmpty($0.value) }.map(\.key))
        for table in Tables.all {
            switch table.export {
            case .members(let members):
                #expect(!members.isEmpty, "\(table.name)")
                for member in members { #expect(filled.contains(member), "\(table.name): \(member)") }
            case .nothing(let reason):
                #expect(!reason.isEmpty, "\(table.name)")
            }
        }
    }

    @Test func eachMemberOfTheExportIsDeclared() throws {
        let declared = Tables.all.flatMap { table -> [String] in
            guard case .members(let members) = table.export else { return [] }
            return members
        }
        for member in try exports().flatMap(\.keys) { #expect(declared.contains(member), "\(member)") }
    }

    /// The objects of the accounts, of their containers, and of the sessions.
    private func exports() throws -> [[String: Any]] {
        let server = try store.container.session(for: store.service.account(store.container.serverKeys()[0].account))
        return try [ada, grace, server].flatMap { session in
            let account = try object(store.account(of: session).export())
            let containers = try #require(account["containers"] as? [[String: Any]])
            return try [account] + containers + [object(session.export())]
        }
    }

    private func object(_ json: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    private func isEmpty(_ value: Any) -> Bool {
        switch value {
        case let list as [Any]: list.isEmpty
        case let text as String: text.isEmpty
        default: value is NSNull
        }
    }
}
