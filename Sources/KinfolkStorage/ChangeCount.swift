/// How many rows a statement changed. On a server, this is known only after the transaction.
package final class ChangeCount {
    package private(set) var value = 0
    /// Whether the server's answer with the number arrived. It may be lost even though the transaction was committed.
    package private(set) var isKnown = false

    init() {}

    func add(_ count: Int) {
        value += count
        isKnown = true
    }
}
