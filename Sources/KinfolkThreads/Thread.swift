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

    /// Whether the calling thread runs a function of the host that was passed to ``callBack(_:)``.
    package static var isInCallback: Bool { pthread_getspecific(callbackKey) != nil }

    /// Runs a function of the host on a thread of a service. A call in that function does not wait for other such functions: each could
    /// wait for the other.
    package static func callBack<Result>(_ body: () -> Result) -> Result {
        let before = pthread_getspecific(callbackKey)
        pthread_setspecific(callbackKey, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(callbackKey, before) }
        return body()
    }

    private static let callbackKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

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
