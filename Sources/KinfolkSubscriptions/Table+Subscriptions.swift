package import KinfolkCore

extension Table {
    /// The tables of subscriptions, devices and notifications.
    package static let ofSubscriptions: [Table] = [
        Table(
            "subscriptions",
            [
                .authenticated("container_id"), .authenticated("owner"), .authenticated("subscriber"),
                .authenticated("number"), .tag("id_tag", .container),
                .sealed(
                    "sealed_subscription",
                    .container,
                    at: .number("container_id"),
                    .tag("owner"),
                    .tag("subscriber"),
                    .number("number")
                ),
            ],
            owners: [.subscriber, .container],
            rotation: .byItself,
            export: .members(["subscriptions"]),
            rule: "number > 0 AND (length(owner) = 0 OR owner = subscriber)"
        ),
        Table(
            "subscription_keys",
            [
                .open("container_id"), .open("owner"), .tag("key_tag", .container), .open("number"),
                .open("subscriber"),
            ],
            owners: [.subscriber, .container],
            rotation: .byItself,
            export: .nothing(because: "The subscriptions hold the values."),
            rule: """
                EXISTS (SELECT 1 FROM subscriptions s WHERE s.container_id = subscription_keys.container_id
                AND s.number = subscription_keys.number AND s.owner = subscription_keys.owner
                AND s.subscriber = subscription_keys.subscriber)
                """
        ),
        Table(
            "devices",
            [
                .open("container_id"), .open("owner"), .open("device"),
                .tag("name_tag", .container), .open("acknowledged"), .open("expires_at"),
                .sealed("sealed_name", .container, at: .number("container_id"), .tag("owner"), .tag("device")),
            ],
            owners: [.deviceOwner, .container],
            rotation: .byItself,
            export: .members(["devices"]),
            rule: """
                acknowledged >= 0 AND expires_at >= 0 AND EXISTS (SELECT 1 FROM notification_counts c
                WHERE c.container_id = devices.container_id AND c.owner = devices.owner
                AND c.last_notification >= devices.acknowledged)
                """
        ),
        Table(
            "notification_counts",
            [.open("container_id"), .open("owner"), .open("last_notification"), .open("forgotten")],
            owners: [.deviceOwner, .container],
            rotation: .none,
            export: .nothing(because: "It counts the notifications."),
            rule: "forgotten BETWEEN 0 AND last_notification"
        ),
        Table(
            "notifications",
            [
                .authenticated("container_id"), .authenticated("owner"), .authenticated("notification"),
                .open("subscription"), .tag("creator_tag", .container), .tag("modifier_tag", .container),
                .sealed(
                    "sealed_notification",
                    .container,
                    at: .number("container_id"),
                    .tag("owner"),
                    .number("notification")
                ),
            ],
            owners: [.deviceOwner, .container],
            rotation: .byItself,
            export: .nothing(
                because: "Notifications tell of records, and are deleted when the devices have received them."
            ),
            rule: """
                notification > 0 AND EXISTS (SELECT 1 FROM notification_counts c
                WHERE c.container_id = notifications.container_id AND c.owner = notifications.owner
                AND c.last_notification >= notifications.notification)
                """
        ),
    ]
}

extension Table.Owner {
    /// The user to whom a subscription belongs.
    fileprivate static let subscriber = Table.Owner(
        "users",
        by: [("container_id", "container_id"), ("subscriber", "record_id")]
    )

    /// The user to whom a device belongs.
    fileprivate static let deviceOwner = Table.Owner(
        "users",
        by: [("container_id", "container_id"), ("owner", "record_id")]
    )
}
