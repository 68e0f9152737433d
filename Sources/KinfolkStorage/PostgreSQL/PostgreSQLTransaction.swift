/// The state of the transaction that a connection to a server began last.
struct PostgreSQLTransaction {
    /// How writes that share the transaction are separated.
    enum Parts { case none, together, savepoints }

    let isReading: Bool
    /// Whether the transaction has exclusive access to the store.
    let isAlone: Bool
    /// Whether it may write, and so may others meanwhile.
    var isShared: Bool { !isReading && !isAlone }
    /// Whether any request was sent in the transaction, or will be.
    var hasWork = false
    var parts = Parts.none
    /// Whether the current part changes anything.
    var hasPartWritten = false
    /// Whether COMMIT was sent and not yet answered.
    var isCommitting = false
    /// The server's number of the transaction if it writes; empty while it is not known.
    var number = ""

    init(_ purpose: Connection.Purpose) {
        isReading = purpose == .read
        isAlone = purpose == .writeAlone
    }
}
