import ArgumentParser

struct SubscriptionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription",
        abstract: "Save and delete a person's subscriptions: what they want to be notified of.",
        discussion: """
            A subscription is a stored question. It makes a notification when a record that satisfies a predicate is created, \
            changed or deleted, or when a zone or a whole private database changes. "kinfolk watch" shows the notifications.

            EXAMPLE
              kinfolk subscription save Message 'to = %@' ada \\
                --on created --keys text --device laptop \\
                --id inbox --database public \\
                --container com.example.chat --account ada@example.com
              kinfolk watch --device laptop \\
                --container com.example.chat --account ada@example.com
            """,
        subcommands: [SubscriptionSave.self, SubscriptionList.self, SubscriptionShow.self, SubscriptionDelete.self]
    )
}
