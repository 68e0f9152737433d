public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Container {
    /// Adds a field to a record type in the container's schema, and the type if there is none.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if a name is not valid,
    ///   ``KinfolkError/Code/conflict`` if the record type has a field of this name already,
    ///   ``KinfolkError/Code/limitExceeded`` if it has 1,000 fields.
    public func addField(
        _ name: String,
        type: FieldType,
        to recordType: String = "Users"
    ) throws(KinfolkError) {
        try FieldName.validate(name)
        try RecordType.validate(recordType)
        try service.write { db in
            try requireInUse(db)
            var schema = try SchemaGrowth(self, db)
            guard schema.schema.types[recordType]?.fields[name] == nil else {
                throw KinfolkError(.conflict, "The schema has a field of this name already.")
            }
            _ = try schema.type(recordType, with: [(name, type)], addedBy: .operating, db)
        }
    }

    /// Removes a field from the container's schema, and its values from every record. Its name may then be used with
    /// another type.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the schema has no such field.
    public func removeField(_ name: String, from recordType: String = "Users") throws(KinfolkError) {
        try service.write { db in
            try requireInUse(db)
            let schema = try SchemaGrowth(self, db).schema
            guard let type = schema.types[recordType], type.fields[name] != nil else {
                throw KinfolkError(.unknownItem, "The schema has no such field.")
            }
            try FieldRemoval(name, of: type, in: self, db).run()
        }
    }
}
