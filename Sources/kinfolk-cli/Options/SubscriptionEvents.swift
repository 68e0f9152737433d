import ArgumentParser
import Kinfolk

/// `created,updated,deleted` on the command line: the changes of which a subscription tells.
struct SubscriptionEvents: ExpressibleByArgument {
    let options: SubscriptionOptions

    /// The changes with their names, in the order in which they are shown.
    private static let names: [(name: String, option: SubscriptionOptions)] = [
        ("created", .firesOnRecordCreation), ("updated", .firesOnRecordUpdate), ("deleted", .firesOnRecordDeletion),
    ]

    init?(argument: String) {
        var options: SubscriptionOptions = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let known = SubscriptionEvents.names.first(where: { $0.name == word }) else { return nil }
            options.insert(known.option)
        }
        self.options = options
    }

    private init(_ options: SubscriptionOptions) { self.options = options }

    static var all: SubscriptionEvents { SubscriptionEvents(SubscriptionOptions(names.map(\.option))) }

    static func names(of options: SubscriptionOptions) -> [String] {
        names.filter { options.contains($0.option) }.map(\.name)
    }
}
