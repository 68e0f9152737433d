import Glibc
import KinfolkStorage
import KinfolkThreads
import TestSupport

func signal(_ path: String) throws {
    try CounterStore.open(path).countUpAndSignal("shared")
    say("done")
}

/// Uses a signal on both sides of a fork.
func forkWithSignal(_ path: String) throws {
    let store = try CounterStore.open(path)
    var signal: StoreSignal? = try store.makeSignal()
    let child = forkProcess()
    if child == 0 {
        signal?.stir()
        guard signal?.isQuiet() == true else { _exit(1) }
        guard signal?.hearsOthers == false else { _exit(2) }
        signal?.close()
        signal = nil
        _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    say("child", status)
    say("quiet", signal?.isQuiet() == true)
    try store.countUpAndSignal("shared")
    say("heard", signal?.isHeard() == true, signal?.hearsOthers == true)
}

/// Writes how many descriptors signals leave open, and how many of theirs a new program would inherit.
func countSignalDescriptors(_ path: String) throws {
    let store = try CounterStore.open(path)
    // Whatever stays open after the first one is not of each signal.
    try store.makeSignal().close()
    let before = openDescriptors()
    for number in 0..<20 {
        let signal = try store.makeSignal()
        let new = openDescriptors().subtracting(before)
        if number == 0 { say("inherited", new.count { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }, "open", !new.isEmpty) }
        // Half of them are only released.
        if number % 2 == 0 { signal.close() }
    }
    say("left", openDescriptors().subtracting(before).count)
}

private func openDescriptors() -> Set<Int32> { Set((0..<256).filter { fcntl($0, F_GETFD) >= 0 }) }

/// Makes a signal while there is only one free descriptor, and then waits with more.
func signalWithoutDescriptors(_ path: String) throws {
    let store = try CounterStore.open(path)
    let free = dup(0)
    close(free)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let usual = limit.rlim_cur
    limit.rlim_cur = rlim_t(free) + 1
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let signal = try store.makeSignal()
    signal.stir()
    say("stirred", signal.isHeard(), signal.hearsOthers)
    limit.rlim_cur = usual
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    say("started", signal.isHeard(), signal.hearsOthers)
    try store.countUpAndSignal("shared")
    say("heard", signal.isHeard())
}
