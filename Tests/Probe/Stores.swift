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
