/// How many rows a statement changed. On a server that is known once the transaction is over.
package final class ChangeCount {
    package private(set) var value = 0
    /// False if the answer was lost, although it is known that the transaction was committed.
    package private(set) var isKnown = false

    init() {}

    func add(_ count: Int) {
        value += count
        isKnown = true
    }
}
