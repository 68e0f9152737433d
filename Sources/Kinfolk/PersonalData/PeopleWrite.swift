import KinfolkAccounts
import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// A batch of people that is being written on a thread of its own. Meanwhile the next batch is read, and a waiting caller can
/// report the progress.
final class PeopleWrite: Sendable {
    private struct State {
        var share = 0.0
        var result: Result<[Bool], KinfolkError>?
    }

    /// The interval in seconds at which a waiting caller is called back.
    private static let interval = 0.25

    let batch: PeopleBatch
    private let fork = Fork.generation
    private let state = Lock(State())

    init(_ batch: PeopleBatch, into container: Container, wording: ConsentWording?) {
        self.batch = batch
        let work = { @Sendable [self] in run(container, wording) }
        // If no thread can be started, the work is done here, and no progress is reported until it is finished.
        if !Thread.start(work) { work() }
    }

    /// The share of the batch that is written, from 0 to 1.
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

    /// Waits until the batch is written, and calls `meanwhile` from time to time.
    ///
    /// - Returns: For each person of the batch whether the account was created.
    func wait(_ meanwhile: () throws(KinfolkError) -> Void = {}) throws(KinfolkError) -> [Bool] {
        // A forked child has no such thread to wait for.
        while fork == Fork.generation {
            let deadline = Deadline(in: PeopleWrite.interval)
            let result = state.withLock(when: { $0.result != nil }, until: deadline) { $0.result }
            if let result = result ?? nil { return try result.get() }
            try meanwhile()
        }
        throw KinfolkError(StorageError(.forked))
    }
}
