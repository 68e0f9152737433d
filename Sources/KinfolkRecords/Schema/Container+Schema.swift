public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Container {
    /// Adds a field to a record type in the container's schema, and the type if there is none.
    ///
    /// ```swift
    /// try container.addField("title", type: .string, indexes: [.queryable, .sortable], to: "Note")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The field's name: 1 to 255 ASCII letters, digits and `_`, starting with a letter.
    ///   - type: The type of its values.
    ///   - indexes: Its indexes. Nil for those of a field that a save adds: QUERYABLE, but none for a boolean, a location, an asset,
    ///     a list, or a field of user records.
    ///   - recordType: The record type; `Users` for user records.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if a name is not valid, or the field cannot have one of the indexes,
    ///   ``KinfolkError/Code/conflict`` if the record type has a field of this name already,
    ///   ``KinfolkError/Code/limitExceeded`` if it has 1,000 fields, or the container 10,000.
    public func addField(
        _ name: String,
        type: FieldType,
        indexes: FieldIndexes? = nil,
        to recordType: String = "Users"
    ) throws(KinfolkError) {
        try FieldName.validate(name)
        try RecordType.validate(recordType)
        let options =
            indexes.map(FieldDefinition.Options.init) ?? FieldDefinition.options(ofNew: type, in: recordType)
        if let refusal = DeclaredField.refusal(of: options.indexes, for: type, isEncrypted: false) {
            throw KinfolkError(.invalidArgument, "The field cannot have this index: \(refusal)")
        }
        var declared = DeclaredType(name: recordType, position: nil)
        declared.fields = [DeclaredField(name: name, kind: type, options: options, position: nil)]
        var schema = DeclaredSchema()
        schema.types = [declared]
        _ = try change { known throws(KinfolkError) in
            guard known.types[recordType]?.fields[name] == nil else {
                throw KinfolkError(.conflict, "The schema has a field of this name already.")
            }
            return try SchemaPlan(schema, for: known, .addition)
        }
    }

    /// Removes a field from the container's schema, and its values from every record. Its name may then be used with
    /// another type.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the schema has no such field.
    public func removeField(_ name: String, from recordType: String = "Users") throws(KinfolkError) {
        _ = try change { known throws(KinfolkError) in
            guard let type = known.types[recordType], type.fields[name] != nil else {
                throw KinfolkError(.unknownItem, "The schema has no such field.")
            }
            return SchemaPlan(removing: name, from: type, of: known)
        }
    }

    // MARK: Texts

    /// The container's schema in Apple's schema language, which CloudKit's console and `cktool` read and write too.
    ///
    /// Record types and fields are in the order of their names. A boolean field is written as `INT64 /* kinfolk: boolean */`: CloudKit
    /// has no type for it, and takes the mark for a comment.
    public func exportSchema() throws(KinfolkError) -> String {
        let schema = try service.read { db in
            try requireInUse(db)
            return try service.schemas.schema(of: number, service, db)
        }
        return SchemaPrinter.text(DeclaredSchema(schema))
    }

    /// What `applySchema(_:removesMissing:)` with the same text would change. It changes nothing itself.
    public func schemaDifference(
        _ text: String,
        removesMissing: Bool = false
    ) throws(KinfolkError) -> SchemaDifference {
        let declared = try SchemaParser.schema(text)
        return try service.read { db in
            try requireInUse(db)
            let known = try service.schemas.schema(of: number, service, db)
            return try SchemaPlan(declared, for: known, .text(removesMissing: removesMissing)).difference
        }
    }

    /// Changes the container's schema to what a text in Apple's schema language says.
    ///
    /// ```swift
    /// try development.applySchema("""
    ///     DEFINE SCHEMA
    ///     RECORD TYPE Note (
    ///         title    STRING QUERYABLE SORTABLE,
    ///         isPinned INT64 /* kinfolk: boolean */
    ///     );
    ///     """)
    /// ```
    ///
    /// Record types and fields of the text are added if they are missing. A field that exists gets the indexes of the text, and loses
    /// those that the text does not name. A type with a `GRANT` gets the grants of the text. What the text does not name stays as it is.
    /// All changes are made in one transaction. It reads every record of the container if a field of a type that exists is removed.
    ///
    /// An index that is added to a type with records is built afterwards, in the background: see `indexBuilds()`. To wait for it, call
    /// `buildIndexes(progress:)`.
    ///
    /// - Parameters:
    ///   - text: A text that `exportSchema()` or CloudKit wrote, or a person. At most 8 MB.
    ///   - removesMissing: Whether to remove what the text does not name: record types with their records, fields with their values,
    ///     roles, and the indexes of system fields. The type `Users` always stays, and if the text does not name it, so do its fields.
    /// - Returns: What was changed.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` with line and column if the text is not valid, or a field would get another type,
    ///   ``KinfolkError/Code/limitExceeded`` if the text is too long, or the schema would have more than 1,000 record types, 1,000
    ///   fields in a type, 10,000 fields or 100 roles. Then nothing is changed.
    @discardableResult
    public func applySchema(_ text: String, removesMissing: Bool = false) throws(KinfolkError) -> SchemaDifference {
        let declared = try SchemaParser.schema(text)
        return try change { known throws(KinfolkError) in
            try SchemaPlan(declared, for: known, .text(removesMissing: removesMissing))
        }
    }

    private func change(
        _ plan: (ContainerSchema) throws(KinfolkError) -> SchemaPlan
    ) throws(KinfolkError) -> SchemaDifference {
        let difference = try service.write { db in
            try requireInUse(db)
            let plan = try plan(service.schemas.schema(of: number, service, db))
            try SchemaApplication(plan, in: self, db).run()
            return plan.difference
        }
        startBuildingIndexes(after: difference)
        return difference
    }

    private func startBuildingIndexes(after difference: SchemaDifference) {
        // If it fails, a later write of this or another service starts it.
        if !difference.isEmpty { try? service.indexBuilder.startIfNeeded(service) }
    }

    // MARK: Deployment

    /// What `deploySchema()` would change in production. It changes nothing itself.
    public func deploymentDifference() throws(KinfolkError) -> SchemaDifference {
        try service.read { db in try Deployment(of: self, db).plan.difference }
    }

    /// Adds the schema of the container's development environment to that of production. From then on saves add nothing to the schema
    /// of production: only the operator does, with this call, `applySchema(_:removesMissing:)` or `addField(_:type:indexes:to:)`.
    ///
    /// Call it on the container in either environment. It removes nothing from production: no record type, field, index, role or grant.
    ///
    /// - Returns: What was changed. Saves are restricted also if nothing was.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if a field has another type in production,
    ///   ``KinfolkError/Code/unknownItem`` if the container was never opened for development. Then nothing is changed.
    @discardableResult
    public func deploySchema() throws(KinfolkError) -> SchemaDifference {
        let difference = try service.write { db in
            let deployment = try Deployment(of: self, db)
            try deployment.run(db)
            return deployment.plan.difference
        }
        startBuildingIndexes(after: difference)
        return difference
    }
}
