package import KinfolkCore

extension Table {
    /// The tables of records.
    package static let ofRecords: [Table] = ofSchemas + ofSavedRecords + ofZones + ofAssets

    private static let ofSchemas: [Table] = [
        Table(
            "schemas",
            [.open("container_id"), .open("stamp"), .open("is_fixed"), .open("last_number")],
            owners: [.container],
            rotation: .none,
            export: .nothing(because: "The schema belongs to the container.")
        ),
        Table(
            "record_types",
            [
                .authenticated("container_id"), .authenticated("type"), .authenticated("name"), .open("system_indexes"),
                .open("has_creator_entries"), .code("code", .store),
            ],
            owners: [.container],
            rotation: .byItself,
            export: .nothing(because: "Names of record types belong to the container.")
        ),
        Table(
            "roles",
            [.open("container_id"), .open("name")],
            owners: [.container],
            rotation: .none,
            export: .nothing(because: "Names of roles belong to the container.")
        ),
        Table(
            "grants",
            [
                .authenticated("container_id"), .authenticated("type"), .authenticated("role"),
                .authenticated("permissions"),
            ],
            owners: [.container],
            rotation: .none,
            export: .nothing(because: "Grants belong to the container.")
        ),
        Table(
            "fields",
            [
                .open("container_id"), .open("type"), .open("name"), .open("number"), .open("value_type"),
                .open("options"), .open("built"), .open("unicode"),
            ],
            owners: [.container],
            rotation: .none,
            export: .nothing(because: "Names of fields belong to the container.")
        ),
        Table(
            "index_builds",
            [
                .open("container_id"), .open("type"), .open("owner"), .open("zone"), .open("created_at"),
                .open("number"), .open("done"), .open("total"),
            ],
            owners: [.container],
            rotation: .none,
            export: .nothing(because: "It says how far an index of the container is built.")
        ),
    ]

    private static let ofSavedRecords: [Table] = [
        Table(
            "records",
            [
                .open("number"), .authenticated("container_id"), .authenticated("owner"), .open("zone"),
                .tag("name_tag", .container), .authenticated("type"), .open("change_tag"), .open("created_at"),
                .open("modified_at"), .open("change"),
                .sealed(
                    "sealed_fields",
                    .zone,
                    at: .number("container_id"),
                    .tag("name_tag"),
                    .presence("owner"),
                    .numberUnlessZero("type")
                ),
            ],
            owners: [.owner, .container],
            rotation: .byItself,
            export: .members(["records", "key_value_store", "documents"]),
            rule: """
                (length(owner) = 0 OR EXISTS (SELECT 1 FROM users u WHERE u.container_id = records.container_id AND u.record_id = owner))
                AND (type <> 0 OR EXISTS (SELECT 1 FROM users u WHERE u.container_id = records.container_id AND u.record_id = name_tag))
                AND (zone = 0 AND change = 0 OR EXISTS (SELECT 1 FROM zones z WHERE z.container_id = records.container_id
                AND z.owner = records.owner AND z.zone = records.zone AND records.change > z.zone
                AND records.change <= z.change) OR \(Table.zoneIsRemoved(of: "records")))
                """
        ),
        Table(
            "record_numbers",
            [.open("name"), .open("next")],
            rotation: .none,
            export: .nothing(because: "It counts the records of the store.")
        ),
        Table(
            "index_entries",
            [.open("container_id"), .open("owner"), .open("zone"), .tag("tag", .container), .open("number")],
            owners: [.owner, .container],
            rotation: .byItself,
            export: .nothing(because: "The records hold the values."),
            rule: Table.hasScope("index_entries")
        ),
        Table(
            "order_entries",
            [
                .open("container_id"), .open("owner"), .open("zone"), .open("field"), .open("position"),
                .open("number"),
            ],
            owners: [.owner, .container],
            rotation: .none,
            export: .nothing(because: "The records hold the values."),
            rule: Table.hasScope("order_entries")
        ),
        Table(
            "cell_entries",
            [
                .open("container_id"), .open("owner"), .open("zone"), .tag("tag", .container), .open("number"),
                .sealed("sealed_point", .zone, at: .number("container_id"), .tag("tag"), .number("number")),
            ],
            owners: [.owner, .container],
            rotation: .byItself,
            export: .nothing(because: "The records hold the locations."),
            rule: Table.hasScope("cell_entries")
        ),
        Table(
            "postings",
            [
                .open("container_id"), .open("owner"), .open("zone"), .tag("tag", .container),
                .sealed("sealed_block", .zone, at: .number("container_id"), .tag("tag")),
            ],
            owners: [.owner, .container],
            rotation: .byItself,
            export: .nothing(because: "The records hold the texts."),
            rule: Table.hasScope("postings")
        ),
        Table(
            "outbox_readers",
            [.open("container_id"), .open("owner"), .open("stamp")],
            owners: [.owner, .container],
            rotation: .none,
            export: .nothing(because: "It says that the database has subscriptions.")
        ),
        Table(
            "outbox",
            [
                .open("container_id"), .open("lane"), .open("sequence"), .open("owner"), .open("zone"), .open("type"),
                .open("number"), .open("kind"), .open("origin"), .open("stamp"), .open("reached"),
                .sealed(
                    "sealed_before",
                    .zone,
                    at: .number("container_id"),
                    .tag("owner"),
                    .number("zone"),
                    .number("type"),
                    .number("number"),
                    .number("kind")
                ),
            ],
            owners: [.owner, .container],
            rotation: .byItself,
            export: .nothing(because: "Its rows are deleted as soon as they are read."),
            rule: Table.hasZone("outbox")
        ),
        Table(
            "record_bytes",
            [
                .open("container_id"), .open("owner"), .open("zone"), .open("kind"), .open("lane"), .open("bytes"),
                .open("allowance"),
            ],
            owners: [.owner, .container],
            rotation: .none,
            export: .nothing(because: "It follows from the records and assets."),
            rule: Table.hasZone("record_bytes")
        ),
    ]
}

extension Table.Owner {
    /// The user whose private database the row belongs to; nobody if the owner is empty.
    static let owner = Table.Owner(
        "users",
        by: [("container_id", "container_id"), ("owner", "record_id")],
        isOptional: true
    )
}
