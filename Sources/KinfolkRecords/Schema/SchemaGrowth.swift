import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// The schema of a container in a transaction, which may add record types and fields to it.
struct SchemaGrowth {
    let container: Container
    private(set) var schema: ContainerSchema

    init(_ container: Container, _ db: Connection) throws {
        self.container = container
        schema = try container.service.schemas.schema(of: container.number, container.service, db)
    }

    /// The record type with this name and at least these fields. What is missing is added, if a save of `session` in `database` may.
    mutating func type(
        _ name: String,
        with fields: [(name: String, type: FieldType)],
        savedBy session: Session,
        in database: DatabaseScope,
        _ db: Connection
    ) throws -> TypeDefinition {
        if let reserved = ReservedType.type(named: name) { return reserved }
        let known = schema.types[name]
        for field in fields {
            guard let type = known?.fields[field.name]?.type, type != field.type else { continue }
            throw KinfolkError(
                .invalidArgument,
                "The field \(field.name) has the type \(type) in this container, not \(field.type)."
            )
        }
        let new = fields.filter { known?.fields[$0.name] == nil }
        if let known, new.isEmpty { return known }
        for field in new {
            guard let reservation = SystemField.reservation(of: field.name) else { continue }
            throw KinfolkError(.invalidArgument, "The schema cannot get this field: \(reservation)")
        }
        try requireGrowth(of: known, by: new, session, database, db)
        var number = try SchemaTable.takeNumbers(new.count + (known == nil ? 1 : 0), in: container.number, db)
        var type = known ?? TypeDefinition(number: number, name: name)
        if known == nil {
            try SchemaTable.insert(type, in: container.number, container.service.keys(db), db)
            number += 1
        }
        for (offset, field) in new.enumerated() {
            let definition = FieldDefinition(
                number: number + Int64(offset),
                type: field.type,
                options: FieldDefinition.options(ofNew: field.type, in: name)
            )
            try SchemaTable.insert(definition, named: field.name, of: type.number, in: container.number, db)
            type.fields[field.name] = definition
        }
        schema.types[name] = type
        return type
    }

    private func requireGrowth(
        of type: TypeDefinition?,
        by new: [(name: String, type: FieldType)],
        _ session: Session,
        _ database: DatabaseScope,
        _ db: Connection
    ) throws {
        if container.environment == .production, schema.isFixed || database == .private {
            throw unknown(type, new, schema.isFixed)
        }
        try SchemaLimits.require(
            fieldsOfType: (type?.fields.count ?? 0) + new.count,
            fields: schema.types.values.reduce(new.count) { $0 + $1.fields.count },
            types: schema.types.count + (type == nil ? 1 : 0)
        )
        // Last, because it writes: an item of a batch that fails alone changes nothing.
        try session.spend(new.count + (type == nil ? 1 : 0), of: .fields, db)
    }

    private func unknown(
        _ type: TypeDefinition?,
        _ new: [(name: String, type: FieldType)],
        _ isFixed: Bool
    ) -> KinfolkError {
        let what =
            if let field = new.first, type != nil { "The schema has no field \(field.name) in this record type" } else {
                "The schema has no record type of this name"
            }
        let why =
            isFixed
            ? "it was deployed, and only the operator changes it"
            : "in production, private databases add nothing to it"
        return KinfolkError(.invalidArgument, "\(what), and \(why).")
    }
}
