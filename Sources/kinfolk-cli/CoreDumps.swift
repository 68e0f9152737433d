import CProcess
import Glibc

/// The core dumps of this process.
enum CoreDumps {
    /// Keys, names and addresses pass through this process, so its memory must never end in a file.
    static func switchOff() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        // The limit has no effect where the system pipes dumps to a program.
        _ = kinfolk_process_set_dumpable(0)
    }
}
