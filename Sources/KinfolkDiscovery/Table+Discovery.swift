package import KinfolkCore

extension Table {
    /// The tables of directories. Their rows are derived from accounts, and follow each change of an account: ``DirectoryIndex``.
    package static let ofDiscovery: [Table] = [
        Table(
            "directories",
            [
                .open("container_id"), .open("epoch"), .open("state"), .open("position"),
                .sealed("sealed_seed", .container, at: .number("container_id"), .number("epoch")),
                .authenticated("public_key"), .open("prefix_bits"), .open("key_epoch"),
            ],
            owners: [.container],
            rotation: .byRow,
            export: .nothing(because: "It is about the container."),
            rule: "epoch BETWEEN 0 AND 4294967295 AND state BETWEEN 0 AND 4"
        ),
        Table(
            "directory_counts",
            [.open("container_id"), .open("epoch"), .open("lane"), .open("row_count")],
            owners: [Owner("directories", by: "container_id", "epoch"), .container],
            rotation: .none,
            export: .nothing(because: "It counts all people together.")
        ),
        Table(
            "directory",
            [.authenticated("container_id"), .tag("tag", .container), .authenticated("record_id"), .open("sequence")],
            owners: [.container],
            rotation: .withAccount,
            export: .nothing(because: derived)
        ),
        Table(
            "directory_lanes",
            [.open("container_id"), .open("lane"), .open("row_count")],
            owners: [.container],
            rotation: .none,
            export: .nothing(because: "It counts all people together."),
            rule: """
                lane BETWEEN 0 AND \(DirectoryProgress.laneCount - 1)
                AND row_count BETWEEN 0 AND \(DirectoryProgress.maximumCount)
                """
        ),
        Table(
            "private_directory",
            [
                .authenticated("container_id"), .authenticated("epoch"), .authenticated("bucket"),
                .tag("tag", .directory), .authenticated("record_id"), .sealed("sealed_record", .directory),
                .code("code", .directory),
            ],
            owners: [.container],
            // Its keys have epochs of their own.
            rotation: .byItself,
            export: .nothing(because: derived)
        ),
        Table(
            "identities",
            [
                .authenticated("container_id"), .authenticated("record_id"),
                .sealed("sealed_identity", .container, at: .number("container_id"), .tag("record_id")),
            ],
            // The check compares them with the accounts.
            owners: [.optionalUser, .container],
            rotation: .withAccount,
            export: .nothing(because: derived)
        ),
    ]

    private static let derived = "It is derived from the name, the addresses and the consents, which are exported."
}
