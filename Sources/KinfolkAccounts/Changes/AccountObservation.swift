/// An active watch. It ends when this object is deallocated.
package final class AccountObservation: Sendable {
    private let watcher: AccountWatcher
    private let key: Int

    package init(watcher: AccountWatcher, key: Int) {
        self.watcher = watcher
        self.key = key
    }

    deinit { watcher.end(key) }
}
