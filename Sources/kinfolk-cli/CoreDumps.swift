import CProcess
import Glibc

/// What is left of a process that ends badly.
enum CoreDumps {
    /// Keys, names and addresses pass through this process: nothing of its memory is to end in a file.
    static func switchOff() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        // The limit does not count where the system pipes dumps to a program.
        _ = kinfolk_process_set_dumpable(0)
    }
}
