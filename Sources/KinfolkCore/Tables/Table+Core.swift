extension Table {
    /// The tables of keys and of the store itself.
    package static let ofCore: [Table] = [
        Table(
            "service",
            [.open("name"), .various("value")],
            rotation: .byItself,
            export: .nothing(because: "It is about the store."),
            copiedRows: ServiceTable.copiedRows
        ),
        Table(
            "root_keys",
            [
                .authenticated("epoch"), .tag("sealed_under", .service),
                .sealed("sealed_key", .service, at: .number("epoch")),
            ],
            rotation: .byItself,
            export: .nothing(because: "Keys belong to nobody.")
        ),
        Table(
            "lasting_keys",
            [.authenticated("epoch"), .sealed("sealed_keys", .service, at: .number("epoch"))],
            rotation: .byItself,
            export: .nothing(because: "Keys belong to nobody.")
        ),
        Table(
            "container_keys",
            [
                .authenticated("container_id"), .authenticated("epoch"),
                .sealed("sealed_key", .epoch, at: .number("container_id"), .number("epoch")),
            ],
            owners: [.container],
            rotation: .byItself,
            export: .nothing(because: "Keys belong to nobody.")
        ),
    ]
}
