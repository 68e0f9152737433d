package import KinfolkCore

extension Table {
    /// The tables of records.
    package static let ofRecords: [Table] = [
        Table(
            "records",
            [
                .authenticated("container_id"), .authenticated("record_id"), .authenticated("is_private"),
                .open("change_tag"),
                .sealed(
                    "sealed_fields",
                    .container,
                    at: .number("container_id"),
                    .tag("record_id"),
                    .byte("is_private")
                ), .open("modified_at"),
            ],
            owners: [.user, .container],
            rotation: .byRow,
            export: .members(["records"])
        ),
        Table(
            "fields",
            [.open("container_id"), .open("name"), .open("type")],
            owners: [.container],
            rotation: .none,
            export: .nothing(because: "Names of fields belong to the container.")
        ),
    ]
}
