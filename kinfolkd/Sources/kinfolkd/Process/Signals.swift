import CLinux
import Glibc

/// The signals that the service deals with. One thread waits for them; in all others they are blocked.
enum Signals {
    private static var handled: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
        return set
    }

    /// Blocks them in the calling thread, and in all that it starts afterwards.
    static func block() {
        var set = handled
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for a signal.
    ///
    /// - Parameter microseconds: The longest wait; nil for no limit.
    /// - Returns: Nil if none came in that time.
    static func next(_ microseconds: Int?) -> Int32? {
        var set = handled
        while true {
            let signal: Int32
            if let microseconds {
                var time = timespec(tv_sec: microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1_000)
                signal = sigtimedwait(&set, nil, &time)
            } else {
                signal = sigwaitinfo(&set, nil)
            }
            if signal > 0 { return signal }
            if errno == EAGAIN { return nil }
        }
    }
}
