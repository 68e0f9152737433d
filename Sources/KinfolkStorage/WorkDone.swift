/// One statement that ran, and the number of steps that SQLite's virtual machine took for it (`SQLITE_STMTSTATUS_VM_STEP`).
package struct WorkDone: Hashable, Sendable {
    package let sql: String
    package let steps: Int

    /// Stands for the round trips of one transaction to a server, of which `steps` is the number.
    package static let roundTrips = "ROUND TRIPS"

    /// Stands for the beginning of a transaction on a server that excludes all other writers.
    package static let exclusive = "EXCLUSIVE"
}
