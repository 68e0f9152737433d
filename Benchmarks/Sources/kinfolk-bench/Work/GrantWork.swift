import Kinfolk

/// Changes of public records by a user whose role may write them, compared with changes by their creator.
enum GrantWork {
    private static let role = "Editor"

    static func measure(_ setting: Setting) throws -> [Section] {
        let service = try Service.open(setting.scratch.file("grants.db"))
        let container = try service.createContainer(PeopleStore.container)
        try RecordStore.declareFields(in: container)
        try container.applySchema(
            """
            DEFINE SCHEMA
            CREATE ROLE \(role);
            RECORD TYPE \(RecordStore.type) (
                GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator", GRANT WRITE TO \(role)
            );
            """
        )
        let accounts = try ["Ada", "Ben"].map {
            try service.createAccount(name: PersonName(givenName: $0, familyName: "Example"))
        }
        try container.grantRole(role, to: accounts[1])
        let databases = try accounts.map { try container.session(for: $0).publicDatabase }
        // The first user created both records.
        var records = try [0, 1].map { try databases[0].save(RecordStore.record($0)) }
        var order: Int64 = 0
        func change(_ user: Int) throws {
            order += 1
            try records[user].set("order", to: .int64(order))
            records[user] = try databases[user].save(records[user], policy: .changedKeys)
        }
        let changing = try Pair(.wall, runs: setting.isQuick ? 9 : 25, repeats: 50) { _ in
            try change(1)
        } floor: { _ in
            try change(0)
        }
        guard try databases[0].fetch(RecordStore.id(1))["order"] == records[1]["order"] else {
            throw Failure("A change was lost.")
        }
        return [
            Section(
                title: "Public records",
                rows: [
                    Row(
                        "changed by a role, durable; floor: by the creator",
                        changing,
                        in: .microseconds,
                        goal: .ratioAtMost(1.1)
                    )
                ]
            )
        ]
    }
}
