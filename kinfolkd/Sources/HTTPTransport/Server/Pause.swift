import Glibc
import NIOCore

/// Waiting without an event loop.
enum Pause {
    static func sleep(_ time: TimeAmount) {
        var duration = timespec(
            tv_sec: Int(time.nanoseconds / 1_000_000_000),
            tv_nsec: Int(time.nanoseconds % 1_000_000_000)
        )
        nanosleep(&duration, nil)
    }
}
