import Foundation
import Kinfolk
import ServiceSupport
import TestSupport
import Testing

extension PlacedStore {
    /// Expects everything that the public API told when the store was made. To be called before any search.
    func expectObservation(_ service: Service) throws {
        let expected = content.observation
        let found = try OlderStoreObservation(of: service)
        #expect(found.people == expected.people)
        #expect(found.containers == expected.containers)
        #expect(found.claims == expected.claims)
        #expect(found.audit == expected.audit)
        #expect(found.claimWait == expected.claimWait)
        #expect(found.bucketKey == expected.bucketKey)
        for (table, rows) in expected.tables { #expect(found.tables[table] == rows, "\(table)") }
        for (account, texts) in expected.exports {
            let others = try #require(found.exports[account])
            #expect(others.count == texts.count)
            for (one, other) in zip(texts, others) { #expect(try isContained(one, in: other), "\(one)\(other)") }
        }
    }

    /// Expects each search to have its result, in the directory of hashes and in the private one.
    func expectSearches(_ service: Service, without gone: String? = nil) throws {
        for search in content.searches where search.searcher != gone {
            let session = try session(search.searcher, in: search.container, service)
            try session.container.topUpPermits(of: session.userRecordID())
            let found = try search.found.flatMap { name in
                name == gone ? nil : try self.session(name, in: search.container, service).userRecordID()
            }
            #expect(try session.discover(EmailAddress(search.address))?.userRecordID == found, "\(search)")
            guard try session.container.directoryModes().contains(.private) else { continue }
            let discovery = try session.discoverPrivately(book(search.address), threads: 1)
            #expect(discovery.identities.map(\.userRecordID) == (found.map { [$0] } ?? []), "\(search)")
        }
    }

    func expectRecords(_ service: Service) throws {
        let notes = "com.example.notes"
        let friend = try session("Grace", in: notes, service).userRecordID()
        let session = try session("Ada", in: notes, service)
        let record = try session.fetchUserRecord()
        let values = try OlderStoreMaker.values(friend: friend)
        for value in values { #expect(record["f_\(value.type)"] == value) }
        #expect(record.keys.count == values.count)
        #expect(try session.fetchUserRecord(in: .private)["diary"] == .string("Notes on the engine"))
    }

    private func isContained(_ text: String, in other: String) throws -> Bool {
        func object(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
        func isContained(_ one: Any, in other: Any) -> Bool {
            if let one = one as? [String: Any] {
                guard let other = other as? [String: Any] else { return false }
                return one.allSatisfy { key, value in other[key].map { isContained(value, in: $0) } ?? false }
            }
            if let one = one as? [Any] {
                guard let other = other as? [Any], one.count == other.count else { return false }
                return zip(one, other).allSatisfy(isContained)
            }
            return [one] as NSArray == [other] as NSArray
        }
        return try isContained(object(text), in: object(other))
    }
}
