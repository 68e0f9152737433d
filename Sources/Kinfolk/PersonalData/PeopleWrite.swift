import KinfolkStorage
import KinfolkThreads

/// A batch of people that is being written, on a thread of its own: the next one is read meanwhile, and whoever waits can tell
/// how far it is.
final class PeopleWrite: Sendable {
    private struct State {
        var share = 0.0
        var result: Result<[Bool], KinfolkError>?
    }

    /// How often somebody who waits is told.
    private static let interval = 0.25

    let batch: PeopleBatch
    private let fork = Fork.generation
    private let state = Lock(State())

    init(_ batch: PeopleBatch, into container: Container, wording: ConsentWording?) {
        self.batch = batch
        let work = { @Sendable [self] in run(container, wording) }
        // Without a thread it is done here, and nobody is told until it is.
        if !Thread.start(work) { work() }
    }

    /// What share of it is written.
    var share: Double { fork == Fork.generation ? state.withLock(\.share) : 0 }

    private func run(_ container: Container, _ wording: ConsentWording?) {
        let result = Result { () throws(KinfolkError) -> [Bool] in
            try container.service.write(isLarge: true) { db in
                let writer = try NewcomerWriter(container: container, wording: wording, db)
                return try writer.insert(batch.people) { share in state.withLock { $0.share = share } }
            }
        }
        state.withLock { $0.result = result }
    }

    /// Waits until the batch is written, and calls `meanwhile` now and then.
    ///
    /// - Returns: For each of its people whether the account was made.
    func wait(_ meanwhile: () throws(KinfolkError) -> Void = {}) throws(KinfolkError) -> [Bool] {
        // In a forked child there is no thread to wait for.
        while fork == Fork.generation {
            let deadline = Deadline(in: PeopleWrite.interval)
            let result = state.withLock(when: { $0.result != nil }, until: deadline) { $0.result }
            if let result = result ?? nil { return try result.get() }
            try meanwhile()
        }
        throw KinfolkError(StorageError(.forked))
    }
}
