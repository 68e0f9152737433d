import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

@Suite struct AddressHistoryTests {
    private let store: TestService
    private let ada = AddressHistory.Subject(.permits, of: [UInt8](repeating: 1, count: 32), in: 7)

    init() throws { store = try TestService() }

    private var service: Service { store.service }

    private func set(_ value: [UInt8], of subject: AddressHistory.Subject) throws {
        try service.write { db in
            try AddressHistory(service.keys(db), at: service.steadyClock()).set(value, of: subject, db)
        }
    }

    private func value(of subject: AddressHistory.Subject) throws -> [UInt8]? {
        try service.read { db in
            try AddressHistory(service.keys(db), at: service.steadyClock()).entry(of: subject, db)?.value
        }
    }

    private func rows() throws -> [Int] {
        [
            try store.number("SELECT count(*) FROM address_history"),
            try store.number("SELECT count(*) FROM address_history_keys"),
        ]
    }

    @Test func aValueIsFoundOnlyBySubject() throws {
        try set([1], of: ada)
        #expect(try value(of: ada) == [1])
        for other in [
            AddressHistory.Subject(.codes, of: ada.hash, in: 7),
            AddressHistory.Subject(.permits, of: ada.hash, in: 8),
            AddressHistory.Subject(.permits, of: [UInt8](repeating: 2, count: 32), in: 7),
        ] { #expect(try value(of: other) == nil) }
    }

    @Test func aNewValueReplacesTheEarlierOne() throws {
        try set([1], of: ada)
        store.clock.advance(seconds: 3 * 86_400)
        try set([2], of: ada)
        #expect(try value(of: ada) == [2])
        #expect(try rows() == [1, 1])
    }

    @Test func aValueAndItsKeyAreDeletedAfterThirtyDays() throws {
        try set([1], of: ada)
        store.clock.advance(seconds: 29 * 86_400)
        #expect(try value(of: ada) == [1])
        store.clock.advance(seconds: 86_400)
        #expect(try value(of: ada) == nil)
        // Any change on that day deletes them.
        _ = try service.createAccount()
        #expect(try rows() == [0, 0])
    }

    @Test func aClockThatWasAheadDoesNotKeepAValueLonger() throws {
        store.clock.advance(seconds: 1_000 * 86_400)
        try set([1], of: ada)
        store.clock.advance(seconds: -1_000 * 86_400)
        _ = try service.createAccount()
        #expect(try value(of: ada) == [1])
        store.clock.advance(seconds: 31 * 86_400)
        _ = try service.createAccount()
        #expect(try rows() == [0, 0])
    }

    @Test func valuesSurviveRotationsUnderNewTags() throws {
        for index in 0..<50 {
            try set([UInt8(index)], of: AddressHistory.Subject(.codes, of: [UInt8](repeating: UInt8(index), count: 32)))
        }
        func tags() throws -> Set<[UInt8]> {
            try service.read { db in Set(try db.all("SELECT tag FROM address_history") { $0.bytes(0) }) }
        }
        let before = try tags()
        _ = try service.rotateKeys()
        #expect(try tags().isDisjoint(with: before))
        for index in 0..<50 {
            let subject = AddressHistory.Subject(.codes, of: [UInt8](repeating: UInt8(index), count: 32))
            #expect(try value(of: subject) == [UInt8(index)])
        }
        #expect(try rows() == [50, 1])
    }
}
