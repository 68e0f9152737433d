import KinfolkModel

/// Compares a declaration with the schema that a container has, and plans the changes. It changes nothing itself.
struct SchemaPlan {
    /// What a declaration means for the schema.
    enum Purpose {
        /// The text of the operator: what it names becomes as it says. What it does not name stays, or is removed.
        case text(removesMissing: Bool)
        /// A schema whose types, fields, indexes and grants are added.
        case addition
    }

    private let schema: ContainerSchema
    private let purpose: Purpose
    private(set) var changes: [SchemaChange] = []
    private(set) var addedRoles: [String] = []
    private(set) var removedRoles: [String] = []
    private(set) var types: [TypePlan] = []

    private var removesMissing: Bool { if case .text(let removesMissing) = purpose { removesMissing } else { false } }
    private var isAddition: Bool { if case .addition = purpose { true } else { false } }

    /// - Throws: ``KinfolkError/Code/invalidArgument`` if a field would get another type, or a role does not exist,
    ///   ``KinfolkError/Code/limitExceeded`` if the schema would be too large.
    init(_ declared: DeclaredSchema, for schema: ContainerSchema, _ purpose: Purpose) throws(KinfolkError) {
        self.schema = schema
        self.purpose = purpose
        planRoles(declared)
        let roles = schema.roles.union(addedRoles).subtracting(removedRoles)
        for type in declared.types {
            try requireRoles(of: type, in: roles)
            types.append(try plan(type))
        }
        if removesMissing { try planRemovals(declared) }
        try requireLimits(roles: roles.count)
    }

    /// Removes one field.
    init(removing field: String, from type: TypeDefinition, of schema: ContainerSchema) {
        self.schema = schema
        purpose = .addition
        var plan = TypePlan(type.name, before: type)
        remove(field, &plan)
        types = [plan]
    }

    /// What changes.
    var difference: SchemaDifference { SchemaDifference(changes) }

    // MARK: Roles

    private mutating func planRoles(_ declared: DeclaredSchema) {
        for role in declared.roles where !schema.roles.contains(role.name) {
            addedRoles.append(role.name)
            changes.append(SchemaChange(.addRole, name: role.name))
        }
        guard removesMissing else { return }
        removedRoles = schema.roles.subtracting(declared.roles.map(\.name)).sorted()
        changes += removedRoles.map { SchemaChange(.removeRole, name: $0) }
    }

    private func requireRoles(of type: DeclaredType, in roles: Set<String>) throws(KinfolkError) {
        for role in type.grants?.roles ?? [] where !Grants.systemRoles.contains(role) && !roles.contains(role) {
            throw error(type.rolePositions[role], "the role \(role) does not exist: create it with CREATE ROLE.")
        }
    }

    // MARK: Record types

    private mutating func plan(_ declared: DeclaredType) throws(KinfolkError) -> TypePlan {
        let before = schema.types[declared.name]
        var plan = TypePlan(declared.name, before: before)
        if before == nil { changes.append(SchemaChange(.addRecordType, recordType: declared.name)) }
        for field in declared.fields {
            if let known = before?.fields[field.name] {
                try planOptions(field, known, declared.name, &plan)
            } else {
                if let reservation = SystemField.reservation(of: field.name) {
                    throw error(field.position, reservation)
                }
                plan.addedFields.append(field)
                changes.append(
                    SchemaChange(.addField, recordType: declared.name, name: field.name, detail: field.declaration)
                )
            }
        }
        if removesMissing, let before {
            let names = Set(declared.fields.map(\.name))
            for name in before.fields.keys.sorted() where !names.contains(name) { remove(name, &plan) }
        }
        planSystemIndexes(declared, &plan)
        try planGrants(declared, &plan)
        return plan
    }

    private mutating func remove(_ field: String, _ plan: inout TypePlan) {
        plan.removedFields.append(field)
        changes.append(SchemaChange(.removeField, recordType: plan.name, name: field))
    }

    private mutating func planOptions(
        _ field: DeclaredField,
        _ known: FieldDefinition,
        _ type: String,
        _ plan: inout TypePlan
    ) throws(KinfolkError) {
        let isEncrypted = known.options.contains(.encrypted)
        guard isSame(field, known), field.options.contains(.encrypted) == isEncrypted else {
            let name = known.type.typeName(isEncrypted: isEncrypted)
            throw error(
                field.position,
                "the field \(field.name) of the record type \(type) has the type \(name), which cannot become \(field.typeName)."
            )
        }
        let options = isAddition ? known.options.union(field.options) : field.options
        guard options != known.options else { return }
        plan.options[field.name] = options
        noteIndexes(from: known.options.indexes, to: options.indexes, of: field.name, in: type)
    }

    /// CloudKit drops the comment that marks a boolean. So a text says `INT64` also for a boolean.
    private func isSame(_ field: DeclaredField, _ known: FieldDefinition) -> Bool {
        guard field.kind != known.type else { return true }
        guard field.position != nil else { return false }
        switch (field.kind, known.type) {
        case (.int64, .boolean), (.int64List, .booleanList): return true
        default: return false
        }
    }

    private mutating func noteIndexes(
        from before: FieldIndexes,
        to after: FieldIndexes,
        of field: String,
        in type: String
    ) {
        let (added, removed) = (after.subtracting(before), before.subtracting(after))
        if !added.isEmpty {
            changes.append(SchemaChange(.addIndex, recordType: type, name: field, detail: added.description))
        }
        if !removed.isEmpty {
            changes.append(SchemaChange(.removeIndex, recordType: type, name: field, detail: removed.description))
        }
    }

    private mutating func planSystemIndexes(_ declared: DeclaredType, _ plan: inout TypePlan) {
        let before = plan.before?.systemIndexes ?? SystemIndexes()
        var after = removesMissing ? SystemIndexes() : before
        for (field, indexes) in declared.systemIndexes {
            after[field] = isAddition ? before[field].union(indexes) : indexes
        }
        guard after != before else { return }
        plan.systemIndexes = after
        for field in SystemField.allCases {
            noteIndexes(from: before[field], to: after[field], of: field.name, in: declared.name)
        }
    }

    private mutating func planGrants(_ declared: DeclaredType, _ plan: inout TypePlan) throws(KinfolkError) {
        guard var after = declared.grants else {
            // The type keeps its grants. A role that is created later under the name of a removed one must not have them.
            if let before = plan.before { try requireRolesStay(of: before) }
            return
        }
        let before = plan.before?.grants ?? .standard(for: declared.name)
        if isAddition, plan.before != nil { after.permissions.merge(before.permissions) { $0.union($1) } }
        guard after != before else { return }
        plan.grants = after
        for role in Grants(before.permissions.merging(after.permissions) { $0.union($1) }).roles {
            let (old, new) = (before.permissions[role] ?? [], after.permissions[role] ?? [])
            note(new.subtracting(old), .addGrant, role, on: declared.name)
            note(old.subtracting(new), .removeGrant, role, on: declared.name)
        }
    }

    private mutating func note(
        _ permissions: Grants.Permissions,
        _ kind: SchemaChange.Kind,
        _ role: String,
        on type: String
    ) {
        guard !permissions.isEmpty else { return }
        let detail = permissions.names.joined(separator: ", ")
        changes.append(SchemaChange(kind, recordType: type, name: role, detail: detail))
    }

    // MARK: Removals

    private mutating func planRemovals(_ declared: DeclaredSchema) throws(KinfolkError) {
        let names = Set(declared.types.map(\.name))
        for type in schema.types.values.sorted(by: { $0.name < $1.name }) where !names.contains(type.name) {
            // Every container has it. A text that does not name it changes nothing of it.
            guard type.number != 0 else {
                try requireRolesStay(of: type)
                continue
            }
            var plan = TypePlan(type.name, before: type)
            plan.isRemoved = true
            types.append(plan)
            changes.append(SchemaChange(.removeRecordType, recordType: type.name))
        }
    }

    private func requireRolesStay(of type: TypeDefinition) throws(KinfolkError) {
        guard let role = removedRoles.first(where: { type.grants.permissions[$0] != nil }) else { return }
        throw error(
            nil,
            "the role \(role) cannot be removed: the record type \(type.name), which is not declared, has a grant to it."
        )
    }

    // MARK: Limits and errors

    private func requireLimits(roles: Int) throws(KinfolkError) {
        for type in types { try SchemaLimits.require(fieldsOfType: type.fieldCount) }
        let planned = Dictionary(types.map { ($0.name, $0) }) { first, _ in first }
        var (typeCount, fields, grants) = (0, 0, 0)
        for plan in types where !plan.isRemoved {
            typeCount += 1
            fields += plan.fieldCount
            grants += (plan.grants ?? plan.before?.declaredGrants)?.permissions.count ?? 0
        }
        for type in schema.types.values where planned[type.name] == nil {
            typeCount += 1
            fields += type.fields.count
            grants += type.declaredGrants?.permissions.count ?? 0
        }
        try SchemaLimits.require(fields: fields, types: typeCount, roles: roles, grants: grants)
    }

    private func error(_ position: SchemaPosition?, _ problem: String) -> KinfolkError {
        guard let position else { return KinfolkError(.invalidArgument, "The schema cannot be changed: \(problem)") }
        return position.error(problem)
    }
}
