import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

@Suite struct SteadyClockTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("kinfolk.db")
    }

    @Test func theClockBeginsWithTheDateAndAdvances() throws {
        let before = Timestamp.now
        let service = try Service.open(path)
        let (first, second) = (service.steadyClock(), service.steadyClock())
        #expect(first <= second)
        expect(first, between: before, and: .now)
    }

    @Test func allServicesOfAStoreHaveTheSameClock() throws {
        let services = try (0..<3).map { _ in try Service.open(path) }
        for service in services {
            let (before, there, after) = (services[0].steadyClock(), service.steadyClock(), services[0].steadyClock())
            #expect((before...after).contains(there))
        }
    }

    /// A machine that was started again has another ID of that start.
    @Test func theClockRestartsWithTheMachine() throws {
        _ = try Service.open(path)
        // Simulates that the date was a year behind before.
        try RawDatabase(path).run(
            "UPDATE service SET value = zeroblob(36) || x'00000000000000ff' WHERE name = 'boot'"
        )
        let before = Timestamp.now
        let service = try Service.open(path)
        expect(service.steadyClock(), between: before, and: .now)
    }

    /// The clock of a process that opens the store after the date was set. It must not follow that date.
    @Test func settingTheDateDoesNotChangeTheClock() throws {
        let service = try Service.open(path)
        try service.write { db in try SteadyClock.set(1, service.keys(db), db) }
        let other = try Service.open(path)
        // The clock uses the date of the start in the store, not the current date.
        #expect(other.steadyClock() < service.steadyClock())
        #expect(other.steadyClock().microseconds > 0)
        // Also after a rotation of the keys, by whose keys it is authenticated.
        _ = try service.rotateKeys()
        #expect(try Service.open(path).steadyClock() < service.steadyClock())
    }

    /// If somebody could set the clock forward, permits would accrue that nobody has waited for.
    @Test func aDateWrittenWithoutTheKeyIsIgnored() throws {
        let service = try Service.open(path)
        try RawDatabase(path).run(
            """
            UPDATE service SET value = substr(value, 1, 36) || x'0fffffffffffffff' || substr(value, 45) WHERE name = 'boot'
            """
        )
        let other = try Service.open(path)
        let before = service.steadyClock()
        expect(other.steadyClock(), between: before, and: service.steadyClock())
    }

    /// Independent of the duration of the test. The system's date may be adjusted slightly meanwhile.
    private func expect(_ moment: Timestamp, between start: Timestamp, and end: Timestamp) {
        #expect(moment.seconds(since: start) > -1 && end.seconds(since: moment) > -1)
    }
}
