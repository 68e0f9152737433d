import KinfolkStorage
import KinfolkThreads

extension Service {
    enum Closing { case no, begun, closed, done }

    /// Closes the service. When this returns, no thread can reach the store, and this process has no descriptor, lock or mapping of its
    /// files: the caller may copy, move or delete them.
    ///
    /// - Transactions that other threads have begun are completed first. A call that needs another one, or that waits for another writer,
    ///   fails.
    /// - From then on, each call on the service, and on what was opened through it, throws ``KinfolkError/Code/serviceUnavailable``.
    ///   Streams of changes and notifications end, and no function is called any more.
    /// - What is only in memory is written, such as unused permits. If another process is writing, this takes up to the service's wait.
    ///
    /// Closing again does nothing, and several threads may close: each call returns when the service is closed. A service that is not closed is
    /// closed when its last reference is released.
    ///
    /// A function that the service calls, such as an observer or a progress function, may close it. The call then does not wait for such
    /// functions, also not for those on other threads. In a progress function that is called during a transaction of any service, as those of
    /// a backup, a check and a copy are, the service is closed when that call has ended. A call on this service ends soon, with an error if
    /// its work was not done.
    ///
    /// ```swift
    /// let service = try Service.open("kinfolk.db")
    /// defer { service.close() }
    /// ```
    public func close() {
        guard store.isOfThisProcess, !store.postpone({ [self] in close() }) else { return }
        if beginClosing() { return finishClosing() }
        let isInCallback = Thread.isInCallback
        // The other thread waits for functions of the host, and so for this one: it closes the store without waiting for them any longer.
        if isInCallback { for part in parts { part.stop() } }
        _ = closing.withLock(when: { $0 == .done || isInCallback && $0 == .closed }, until: .never) { _ in }
    }

    #if !KINFOLK_BLOCKING
    /// Like the blocking form, but waits on a thread of Kinfolk's own. A task that was cancelled closes the service all the same.
    public func close() async {
        await withCheckedContinuation { continuation in
            let work = { @Sendable in
                self.close()
                continuation.resume()
            }
            // Not on the openers: all of them may be waiting for another process.
            if !Thread.start(work) { Service.openers.run(work) }
        }
    }
    #endif

    /// False if the service is closed, or another thread closes it.
    func beginClosing() -> Bool {
        closing.withLock { closing in
            guard closing == .no else { return false }
            closing = .begun
            return true
        }
    }

    func finishClosing() {
        store.refuseOthers()
        for part in parts { part.stop() }
        writePending(until: Deadline(in: store.wait))
        store.close()
        keychain.close()
        if let atExit { Exit.unregister(atExit) }
        closing.withLock { $0 = .closed }
        if !Thread.isInCallback { for part in parts { part.awaitFunctions() } }
        closing.withLock { $0 = .done }
    }
}
