import Glibc

/// A thread of the operating system that runs one function.
package enum Thread {
    /// The size of the stack in bytes. The system's own choice depends on the limits of the process. Functions of the host run on these threads
    /// too.
    private static let stackSize = 8 << 20

    /// Starts a detached thread. Returns false if the system cannot start one.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        let box = Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        let status = withAllSignalsBlocked {
            pthread_create(
                &thread,
                &attributes,
                { argument in
                    if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                },
                box.toOpaque()
            )
        }
        if status != 0 { box.release() }
        return status == 0
    }

    /// An identifier of the calling thread, for comparisons.
    package static var current: UInt { UInt(pthread_self()) }

    /// Whether the calling thread runs a function of the host that was passed to ``callBack(_:)``, or is in a transaction.
    package static var isInCallback: Bool { pthread_getspecific(callbackKey) != nil || transactions > 0 }

    /// Runs a function of the host on a thread of a service. A call in that function does not wait for other such functions: each could
    /// wait for the other.
    package static func callBack<Result>(_ body: () -> Result) -> Result {
        let before = pthread_getspecific(callbackKey)
        pthread_setspecific(callbackKey, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(callbackKey, before) }
        return body()
    }

    /// The calling thread is in one more transaction, of any store, until ``leave()``.
    package static func enter() { set(transactions + 1) }

    /// The calling thread has left a transaction. If it is in no other one, it does what was postponed.
    package static func leave() {
        let left = transactions - 1
        set(left)
        guard left == 0, let postponed = pthread_getspecific(postponedKey) else { return }
        pthread_setspecific(postponedKey, nil)
        for run in Unmanaged<Postponed>.fromOpaque(postponed).takeRetainedValue().all { run() }
    }

    /// Runs `body` when the calling thread has left all transactions. False if it is in none: then nothing is done.
    package static func postpone(_ body: @escaping () -> Void) -> Bool {
        guard transactions > 0 else { return false }
        if let postponed = pthread_getspecific(postponedKey) {
            Unmanaged<Postponed>.fromOpaque(postponed).takeUnretainedValue().all.append(body)
        } else {
            pthread_setspecific(postponedKey, Unmanaged.passRetained(Postponed(body)).toOpaque())
        }
        return true
    }

    /// In the child of a fork it is 0: no thread can fork in a transaction.
    private static var transactions: Int { Int(bitPattern: pthread_getspecific(transactionsKey)) }

    private static func set(_ transactions: Int) {
        pthread_setspecific(transactionsKey, UnsafeRawPointer(bitPattern: transactions))
    }

    private final class Postponed {
        var all: [() -> Void]
        init(_ first: @escaping () -> Void) { all = [first] }
    }

    private static let callbackKey = makeKey()
    private static let transactionsKey = makeKey()
    private static let postponedKey = makeKey()

    private static func makeKey() -> pthread_key_t {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }

    /// Sleeps for the given number of seconds, also if a signal arrives.
    package static func sleep(seconds: Double) {
        guard seconds > 0 else { return }
        var left = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1_000_000_000))
        var rest = timespec()
        while nanosleep(&left, &rest) == -1 && errno == EINTR { left = rest }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The host's signal handlers run on the host's threads, never on ours.
    private static func withAllSignalsBlocked<Result>(_ body: () -> Result) -> Result {
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return body()
    }
}
