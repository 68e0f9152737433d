import Glibc
import Kinfolk

/// A store with a user who receives notifications in one process, and another user who saves records in another one: in a file or on a
/// server.
struct SubscribedStore {
    static let zone = RecordStore.zone

    /// A path, or the address of a schema.
    let address: String
    let key: String

    /// Makes the store.
    func make() throws {
        let service = try Service.open(address, key: .file(key))
        let container = try service.createContainer(PeopleStore.container)
        try RecordStore.declareFields(in: container)
        let account = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
        let database = try container.session(for: account).privateDatabase
        _ = try database.save(RecordZone(SubscribedStore.zone))
        try database.save(Subscription(zone: SubscribedStore.zone, id: "zone"))
    }

    /// A session of the store's user, in a separate service.
    func session() throws -> Session {
        let service = try Service.open(address, key: .file(key), existingOnly: true)
        guard let account = try service.accounts(limit: 1).first else { throw Failure("The store has no account.") }
        return try service.container(PeopleStore.container).session(for: account)
    }

    /// Receives notifications with a number of sessions. Runs in a process of its own.
    ///
    /// Prints the processor time of three seconds without any, and for each notification when the last session received it: seconds on the
    /// monotonic clock.
    func receive(_ count: Int, with sessions: Int, notingStartIn start: String) throws {
        let first = try session()
        let service = first.container.service
        guard let account = try service.accounts(limit: 1).first else { throw Failure("The store has no account.") }
        let receiver = Receiver(sessions: sessions, count: count)
        var observations: [StoreObservation] = []
        for index in 0..<sessions {
            let session = try first.container.session(for: account)
            observations.append(try session.onNotification { _ in receiver.receive(index) })
        }
        usleep(500_000)
        print(try Stopwatch.processor.time { usleep(3_000_000) } / 3)
        _ = try File(start)
        receiver.wait()
        for time in receiver.times { print(time) }
        withExtendedLifetime(observations) {}
    }

    /// Counts what each session has received. The service calls its handlers one after the other.
    private final class Receiver: @unchecked Sendable {
        private var left: [Int]
        private var waiting: Int
        private let sessions: Int
        private let end = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        private(set) var times: [Double] = []
        private let count: Int

        init(sessions: Int, count: Int) {
            (self.sessions, self.count, waiting) = (sessions, count, sessions)
            left = Array(repeating: 0, count: sessions)
            sem_init(end, 0, 0)
        }

        func receive(_ session: Int) -> Bool {
            left[session] += 1
            waiting -= 1
            guard waiting == 0 else { return true }
            waiting = sessions
            times.append(Stopwatch.wall.now)
            if times.count == count { sem_post(end) }
            return true
        }

        func wait() { sem_wait(end) }
    }
}
