/// How many rows a statement changed. On a server that is known once the transaction is over.
package final class ChangeCount {
    package private(set) var value = 0

    init() {}

    func add(_ count: Int) { value += count }
}
