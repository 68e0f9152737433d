import Kinfolk
import KinfolkJSON

/// A change of the key-value store as it is shown.
struct KeyValueChangeView {
    /// The reasons, for help pages.
    static let manual = """
        REASONS
          serverChange       another device set or removed the keys
          initialSyncChange  the device asks for the first time: all keys
                             of other devices are listed. Or the store
                             was restored: all keys are listed
          accountChange      the account was suspended, and no key can be
                             read; or it is in use again
        """

    private let change: KeyValueChange

    init(_ change: KeyValueChange) { self.change = change }

    private var reason: String { "\(change.reason)" }

    var json: JSON { ["reason": .string(reason), "keys": .array(change.keys.map(JSON.string))] }

    /// The line for people. It is cut on a narrow terminal.
    func line(on terminal: Terminal) -> String {
        let text = VisibleText(([reason] + change.keys).joined(separator: "  "))
        return (terminal.width.map { text.cut(to: $0) } ?? text).text + "\n"
    }

    func add(to table: inout Table) {
        guard !change.keys.isEmpty else { return table.add(reason, "") }
        for key in change.keys { table.add(reason, key) }
    }
}
