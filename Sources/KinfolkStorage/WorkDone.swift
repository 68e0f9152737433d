/// One statement that ran, and how many steps SQLite's machine took for it (`SQLITE_STMTSTATUS_VM_STEP`).
package struct WorkDone: Hashable, Sendable {
    package let sql: String
    package let steps: Int
}

/// The work of several connections, in its order.
final class WorkTrace {
    var work: [WorkDone] = []
}
