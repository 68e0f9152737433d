import KinfolkCore

extension Table {
    /// The tables of zones, of changes and of references. Nothing writes to them yet.
    static let ofZones: [Table] = [
        Table(
            "zones",
            [
                .open("container_id"), .open("owner"), .open("zone"), .tag("name_tag", .container),
                .open("incarnation"),
                .sealed("sealed_zone", .container, at: .number("container_id"), .tag("name_tag")),
            ],
            owners: [.owner, .container],
            rotation: .byItself,
            export: .members(["records"]),
            isReserved: true
        ),
        Table(
            "change_counts",
            [.open("container_id"), .open("owner"), .open("last_change"), .open("forgotten")],
            owners: [.owner, .container],
            rotation: .none,
            export: .nothing(because: "It counts the changes of records."),
            isReserved: true
        ),
        Table(
            "changes",
            [
                .open("container_id"), .open("owner"), .open("zone"), .open("change"), .open("number"),
                .open("deleted_at"),
                .sealed("sealed_id", .container, at: .number("container_id"), .tag("owner"), .number("change")),
            ],
            owners: [.owner, .container],
            rotation: .byRow,
            export: .nothing(because: "The records say when they were changed, and a deleted record is not kept."),
            isReserved: true
        ),
        Table(
            "record_references",
            [
                .open("container_id"), .open("owner"), .open("target"), .open("source"), .open("field"),
                .open("action"),
            ],
            owners: [.owner, .container],
            rotation: .none,
            export: .nothing(because: "The records hold the references."),
            isReserved: true
        ),
    ]
}
