/// What a connection to a server knows of the transaction that it began last.
struct PostgreSQLTransaction {
    /// How writes that share it are kept apart.
    enum Parts { case none, together, savepoints }

    let isReading: Bool
    /// Whether it has the store for itself.
    let isAlone: Bool
    /// Whether anything was asked of the server, or will be.
    var hasWork = false
    var parts = Parts.none
    /// Whether the part of now changes anything.
    var hasPartWritten = false
    /// Whether the server has been told to commit what was written, and has not answered.
    var isCommitting = false
    /// The server's number for it, if it writes; empty if it is not known.
    var number = ""

    init(_ purpose: Connection.Purpose) {
        isReading = purpose == .read
        isAlone = purpose == .writeAlone
    }
}
