import CProcess
import Glibc
package import KinfolkThreads

/// Wakes a thread when the store may have changed.
///
/// One thread at a time waits; a second one waits until the first has returned. All other functions may be called from any thread
/// and return immediately. In a forked child, the parent's object hears nothing and changes nothing.
///
/// Unchecked: only the thread that has set `isWaiting` uses the listener, and after the last wait the thread that has set
/// `isReleased`.
package final class StoreSignal: @unchecked Sendable {
    private struct State {
        var isWaiting = false
        var isClosed = false
        /// Whether the descriptors are closed, or about to be.
        var isReleased = false
        var hearsOthers: Bool
    }

    private let listener: (any ChangeListener)?
    /// An eventfd that is readable after ``stir()``.
    private let bell: Int32
    private let state: Lock<State>
    private let fork = Fork.generation

    /// - Parameter listener: Has been started, if it can be.
    init(_ listener: (any ChangeListener)?) throws {
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard bell >= 0 else { throw StorageError(.cannotOpen) }
        self.listener = listener
        listener?.start()
        state = Lock(State(hearsOthers: listener?.isListening ?? false))
    }

    deinit {
        close()
        // In a forked child, releasing the listener would end the parent's session on a server.
        if fork != Fork.generation, let listener { _ = Unmanaged<AnyObject>.passRetained(listener) }
    }

    /// Whether changes of other processes end a wait. Otherwise the caller must look from time to time.
    ///
    /// It becomes false when a server or the store's folder is lost, and true again when a later wait has found it again.
    package var hearsOthers: Bool {
        guard fork == Fork.generation else { return false }
        return state.withLock { $0.hearsOthers }
    }

    /// Waits until one of these has happened since the last wait:
    ///
    /// - A process has committed a change to the store: any change if the store is a file, and a change with
    ///   ``Connection/signal()`` if it is on a server. The change is visible to the next read.
    /// - The store's file was replaced.
    /// - Changes may have been missed, because others could not be heard for some time.
    /// - ``stir()`` or ``close()`` was called.
    /// - `deadline` has passed.
    ///
    /// It may also return for no reason. If others cannot be heard, it tries to hear them again, at most once a second. To
    /// connect to a server, it may then need two seconds for each host of the address, and several seconds more if the server
    /// does not answer; only then it notices ``stir()``, ``close()`` and the deadline.
    package func wait(until deadline: Deadline) {
        guard fork == Fork.generation else { return StoreSignal.sleep(until: deadline) }
        let mayWait = state.withLock(when: { !$0.isWaiting || $0.isClosed }, until: deadline) { state in
            guard !state.isClosed else { return false }
            state.isWaiting = true
            return true
        }
        guard mayWait == true else { return }
        listen(until: deadline)
        let mustRelease = state.withLock { state in
            state.isWaiting = false
            state.isReleased = state.isClosed
            return state.isReleased
        }
        if mustRelease { release() }
    }

    /// Ends a wait, or the next one.
    package func stir() {
        guard fork == Fork.generation else { return }
        // The lock keeps the descriptor open.
        state.withLock { if !$0.isReleased { ring() } }
    }

    /// Closes the descriptors and the connection to a server, or lets the thread that waits close them when it returns, which it
    /// does now. Later waits return immediately.
    package func close() {
        guard fork == Fork.generation else { return }
        let mustRelease = state.withLock { state in
            guard !state.isClosed else { return false }
            (state.isClosed, state.hearsOthers) = (true, false)
            if state.isWaiting { ring() } else { state.isReleased = true }
            return state.isReleased
        }
        if mustRelease { release() }
    }

    private func ring() { _ = eventfd_write(bell, 1) }

    private func release() {
        listener?.close()
        Glibc.close(bell)
    }

    // MARK: The thread that waits

    private func listen(until deadline: Deadline) {
        while !takeAll() && !deadline.hasPassed {
            guard let listener, listener.nextStart.hasPassed else {
                poll(until: deadline)
                continue
            }
            listener.start()
            if listener.isListening {
                // Something may have been missed.
                takeAll()
                return
            }
        }
    }

    /// Takes what has happened. True if that ends the wait.
    @discardableResult
    private func takeAll() -> Bool {
        var count: eventfd_t = 0
        let isStirred = eventfd_read(bell, &count) == 0
        let hasChanged = listener?.takeChanges() ?? false
        note()
        return isStirred || hasChanged
    }

    /// Publishes whether others are heard.
    private func note() {
        let isListening = listener?.isListening ?? false
        state.withLock { $0.hearsOthers = isListening && !$0.isClosed }
    }

    /// Waits for the descriptors, until `deadline` or until the listener should be started again.
    private func poll(until deadline: Deadline) {
        var polls = [bell, listener?.descriptor ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let left = min(deadline.milliseconds, listener?.nextStart.milliseconds ?? .max)
        // Milliseconds are rounded down.
        _ = Glibc.poll(&polls, nfds_t(polls.count), Int32(clamping: left + 1))
    }

    private static func sleep(until deadline: Deadline) {
        while !deadline.hasPassed { Thread.sleep(seconds: Double(deadline.milliseconds + 1) / 1_000) }
    }
}
