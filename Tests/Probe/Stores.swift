import Glibc
import KinfolkFiles
import KinfolkStorage
import TestSupport

func hold(_ path: String) throws {
    try CounterStore.open(path).write(isLarge: true) { _ in
        say("holding")
        waitForRelease()
    }
}

func holdSnapshot(_ path: String) throws {
    try CounterStore.open(path).read { db in
        _ = try db.first("SELECT count(*) FROM counters") { $0.integer(0) }
        say("holding")
        waitForRelease()
    }
}

func countUp(_ path: String, times: Int) throws {
    let store = try CounterStore.open(path)
    for _ in 0..<times { try store.countUp("shared") }
    say("done")
}

/// Opens the store of a service as a later version does, whose schema has one more step.
func migrate(_ path: String, from version: Int, sql: String, limit: UInt?) throws {
    if let limit { try limitFiles(to: limit) }
    // Steps that have been applied are not run again.
    let steps =
        Array(repeating: Migrations.Step("applied", "not SQL"), count: version) + [Migrations.Step("later", sql)]
    let store = try Store(
        path: FilePath(path),
        existingOnly: true,
        wait: 60,
        migrations: Migrations(application: 0x4b4e_464b, steps: steps)
    )
    say("ok")
    waitForRelease()
    withExtendedLifetime(store) {}
}

/// Lets writes beyond this size fail, in place of a full disk.
func limitFiles(to size: UInt) throws {
    var limit = rlimit(rlim_cur: size, rlim_max: size)
    signal(SIGXFSZ, SIG_IGN)
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(70) }
}
