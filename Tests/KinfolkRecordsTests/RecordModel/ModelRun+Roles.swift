import Kinfolk

/// Changes roles and grants.
extension ModelRun {
    func createRole(_ role: String, _ environment: ContainerEnvironment, _ service: Int) throws {
        try container(environment, service).applySchema("DEFINE SCHEMA CREATE ROLE \(role);")
        model.createRole(role, in: environment)
        for person in people.values { try compareRoles(of: person, environment, service) }
    }

    /// Removes a role: applies the text of the schema without it.
    func removeRole(_ role: String, _ environment: ContainerEnvironment, _ service: Int) throws {
        let container = try container(environment, service)
        let all = try container.exportSchema().split(separator: "\n", omittingEmptySubsequences: false)
        let lines = all.filter { line in
            !["CREATE ROLE \(role);", "TO \(role)", "TO \(role),"].contains { line.hasSuffix($0) }
        }
        let text = lines.joined(separator: "\n").replacing(/,\n    \);/, with: "\n    );")
        try compare(
            call { _ = try container.applySchema(text, removesMissing: true) },
            expect { () throws(ModelFailure) in try self.model.removeRole(role, in: environment) }
        )
    }

    func declareGrants(
        _ grants: [String: Set<ModelPermission>],
        on type: String,
        _ environment: ContainerEnvironment,
        _ service: Int
    ) throws {
        let entries = grants.map { role, permissions in
            "GRANT \(permissions.map(\.rawValue).joined(separator: ", ")) TO \"\(role)\""
        }
        let text = "DEFINE SCHEMA RECORD TYPE \(type) ( \(entries.joined(separator: ", ")) );"
        try compare(
            call { _ = try self.container(environment, service).applySchema(text) },
            expect { () throws(ModelFailure) in try self.model.declare(grants, on: type, in: environment) }
        )
    }

    /// Gives a role to a person, or takes it.
    func changeRole(
        _ role: String,
        of slot: Int,
        isGiven: Bool,
        _ environment: ContainerEnvironment,
        _ service: Int
    ) throws {
        guard let person = people[slot], let user = person.ids[environment] else { return }
        let container = try container(environment, service)
        let account = try services[service].account(person.account)
        try compare(
            call {
                if isGiven {
                    try container.grantRole(role, to: account)
                } else {
                    try container.revokeRole(role, from: account)
                }
            },
            expect { () throws(ModelFailure) in
                if isGiven {
                    try self.model.giveRole(role, to: user, in: environment)
                } else {
                    try self.model.takeRole(role, from: user, in: environment)
                }
            }
        )
        try compareRoles(of: person, environment, service)
    }

    private func compareRoles(of person: Person, _ environment: ContainerEnvironment, _ service: Int) throws {
        let roles = try container(environment, service).roles(of: services[service].account(person.account))
        let others = person.ids[environment].flatMap { model.members[environment]?[$0] } ?? []
        if roles != others.sorted() { throw Different(what: "the roles \(roles), expected \(others.sorted())") }
    }
}
