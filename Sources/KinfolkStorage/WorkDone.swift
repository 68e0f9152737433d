/// One statement that ran, and the number of steps that SQLite's virtual machine took for it (`SQLITE_STMTSTATUS_VM_STEP`).
package struct WorkDone: Hashable, Sendable {
    package let sql: String
    package let steps: Int
}
