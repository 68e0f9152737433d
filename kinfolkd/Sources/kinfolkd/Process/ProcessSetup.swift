import CLinux
import Glibc

/// What the process does before anything else.
enum ProcessSetup {
    /// The size of the stacks of all threads in bytes.
    private static let stackSize = 8 << 20

    static func prepare() {
        // Keys, names and addresses pass through this process, so its memory must never end in a file.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = kinfolkd_set_dumpable(0)
        kinfolkd_ignore_signal(SIGPIPE)
        // Otherwise it depends on the limits with which the process is started.
        kinfolkd_set_stack_size(stackSize)
    }

    /// Raises the limit of open files to what the system allows, and returns it.
    static func raiseFileLimit() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        if setrlimit(resource, &raised) == 0 { limit = raised }
        return Int(clamping: limit.rlim_cur)
    }
}
