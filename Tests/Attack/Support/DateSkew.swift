import Glibc
import Kinfolk
import Synchronization

/// Moves the date that this process sees, as if the system's clock had been set. Monotonic clocks are not changed.
enum DateSkew {
    private static let skew = Atomic<Int64>(0)

    static var seconds: Int64 {
        get { skew.load(ordering: .sequentiallyConsistent) }
        set { skew.store(newValue, ordering: .sequentiallyConsistent) }
    }

    /// The date without the skew.
    static var trueTime: Timestamp {
        Timestamp(microseconds: Timestamp.now.microseconds - seconds * 1_000_000)
    }

    fileprivate typealias Function = @convention(c) (clockid_t, UnsafeMutablePointer<timespec>) -> Int32

    /// The function of the C library.
    fileprivate static let original: Function? = {
        // RTLD_NEXT, which Swift does not import.
        let next = UnsafeMutableRawPointer(bitPattern: -1)
        return dlsym(next, "clock_gettime").map { unsafeBitCast($0, to: Function.self) }
    }()
}

/// Replaces the C library's function of this name for all code that is linked into this program.
@_cdecl("clock_gettime")
func skewedClock(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>) -> Int32 {
    guard let original = DateSkew.original else { return -1 }
    let status = original(clock, time)
    if clock == CLOCK_REALTIME { time.pointee.tv_sec += Int(DateSkew.seconds) }
    return status
}
