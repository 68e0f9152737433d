import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Makes the changes of a plan, with those of the records that exist, in one transaction.
struct SchemaApplication {
    private let plan: SchemaPlan
    private let container: Container
    private let db: Connection

    init(_ plan: SchemaPlan, in container: Container, _ db: Connection) {
        self.plan = plan
        self.container = container
        self.db = db
    }

    func run() throws {
        guard !plan.difference.isEmpty else { return }
        let count = plan.types.reduce(0) { $0 + $1.addedFields.count + ($1.before == nil ? 1 : 0) }
        var number = try SchemaTable.takeNumbers(count, in: container.number, db)
        for role in plan.addedRoles { try SchemaChangesTable.insert(role: role, in: container.number, db) }
        for role in plan.removedRoles { try SchemaChangesTable.delete(role: role, in: container.number, db) }
        if !plan.removedRoles.isEmpty { try container.removeFromAccounts(plan.removedRoles, db) }
        var rewriting = RecordRewriting(container, db)
        for type in plan.types {
            let after = try type.isRemoved ? remove(type) : apply(type, &number)
            if type.changesRecords, let before = type.before { rewriting.types[before.number] = (before, after) }
        }
        try rewriting.run()
    }

    private func remove(_ plan: TypePlan) throws -> TypeDefinition? {
        try plan.before.map { try SchemaChangesTable.delete(type: $0.number, in: container.number, db) }
        return nil
    }

    /// Changes or adds a type, and returns it as it is then. Takes the numbers that it needs from `number` on.
    private func apply(_ plan: TypePlan, _ number: inout Int64) throws -> TypeDefinition {
        var type =
            plan.before
            ?? TypeDefinition(number: number, name: plan.name, systemIndexes: plan.systemIndexes ?? SystemIndexes())
        if plan.before == nil {
            number += 1
            try SchemaTable.insert(type, in: container.number, container.service.keys(db), db)
        } else if let indexes = plan.systemIndexes {
            try SchemaChangesTable.set(indexes, of: type.number, in: container.number, db)
        }
        for name in plan.removedFields {
            try SchemaChangesTable.delete(field: name, of: type.number, in: container.number, db)
            type.fields[name] = nil
        }
        for (name, options) in plan.options {
            guard let field = type.fields[name] else { continue }
            try SchemaChangesTable.set(options, ofField: name, of: type.number, in: container.number, db)
            type.fields[name] = FieldDefinition(number: field.number, type: field.type, options: options)
        }
        for field in plan.addedFields {
            let definition = FieldDefinition(number: number, type: field.kind, options: field.options)
            try SchemaTable.insert(definition, named: field.name, of: type.number, in: container.number, db)
            type.fields[field.name] = definition
            number += 1
        }
        if let grants = plan.grants {
            type.declaredGrants = grants == .standard(for: plan.name) ? nil : grants
            try SchemaChangesTable.set(type.declaredGrants, of: type.number, in: container.number, db)
            try SchemaTable.authenticate(type, in: container.number, container.service.keys(db), db)
        }
        return type
    }
}
