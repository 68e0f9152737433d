/// How many rows a statement changed. On a server, this is known only after the transaction.
package final class ChangeCount {
    package private(set) var value = 0
    /// False if the answer was lost, although the transaction is known to have been committed.
    package private(set) var isKnown = false

    init() {}

    func add(_ count: Int) {
        value += count
        isKnown = true
    }
}
