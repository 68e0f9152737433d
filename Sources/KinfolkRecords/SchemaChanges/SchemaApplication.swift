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
        for (name, options) in plan.options { type.fields[name]?.declare(options) }
        for field in plan.addedFields {
            // Records without a value have an entry for the order of a field, and none in other indexes.
            let built = plan.before == nil ? nil : field.options.indexes.subtracting(.sortable)
            type.fields[field.name] = FieldDefinition(
                number: number,
                type: field.kind,
                options: field.options,
                built: built
            )
            number += 1
        }
        if let grants = plan.grants {
            type.declare(grants == .standard(for: plan.name) ? nil : grants)
            try SchemaChangesTable.set(type.declaredGrants, of: type.number, in: container.number, db)
            try SchemaTable.authenticate(type, in: container.number, container.service.keys(db), db)
        }
        try build(&type, plan)
        for field in plan.addedFields {
            guard let definition = type.fields[field.name] else { continue }
            try SchemaTable.insert(definition, named: field.name, of: type.number, in: container.number, db)
        }
        return type
    }

    /// Begins to build and remove the indexes that changed, if there are records, and writes which ones are complete.
    private func build(_ type: inout TypeDefinition, _ plan: TypePlan) throws {
        let before = plan.before ?? TypeDefinition(number: type.number, name: type.name)
        let hasChanged =
            type.grants.areReadByCreatorOnly != before.grants.areReadByCreatorOnly
            || type.fields.contains { name, field in field != before.fields[name] && !field.isSettled }
        if hasChanged, !type.isSettled {
            // User records have no index entries.
            if plan.before != nil, type.number != 0,
                try IndexBuildTable.hasRecords(of: type.number, in: container.number, db)
            {
                try IndexBuildTable.start(type.number, in: container.number, db)
            } else {
                type.settle()
                try IndexBuildTable.delete(type.number, in: container.number, db)
            }
        }
        try SchemaChangesTable.set(type, over: before, in: container.number, db)
    }
}
