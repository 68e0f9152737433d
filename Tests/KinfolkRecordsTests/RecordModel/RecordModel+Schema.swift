import Kinfolk

/// Record types and fields.
extension RecordModel {
    mutating func grow(
        _ type: String,
        by fields: [String: FieldType],
        _ mayGrow: Bool,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        let known = schemas[environment]?[type]
        guard fields.allSatisfy({ known?[$0.key] == nil || known?[$0.key]?.type == $0.value }) else {
            throw ModelFailure(.invalidArgument)
        }
        let isNew = known == nil || fields.contains { known?[$0.key] == nil }
        guard !isNew || mayGrow else { throw ModelFailure(.invalidArgument) }
        let added = fields.mapValues { ModelField($0, of: type) }
        schemas[environment]?[type] = (known ?? [:]).merging(added) { old, _ in old }
    }

    mutating func addField(
        _ name: String,
        _ field: ModelField,
        to recordType: String,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        guard field.mayHaveItsIndex else { throw ModelFailure(.invalidArgument) }
        guard schemas[environment]?[recordType]?[name] == nil else { throw ModelFailure(.conflict) }
        schemas[environment]?[recordType, default: [:]][name] = field
    }

    /// Applies a text that declares one field.
    mutating func declare(
        _ name: String,
        _ field: ModelField,
        of recordType: String,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        guard field.mayHaveItsIndex else { throw ModelFailure(.invalidArgument) }
        if let known = schemas[environment]?[recordType]?[name] {
            // A text of CloudKit names a boolean INT64.
            let isSame =
                switch (field.type, known.type) {
                case (.int64, .boolean), (.int64List, .booleanList): true
                case (let type, let other): type == other
                }
            guard isSame else { throw ModelFailure(.invalidArgument) }
            schemas[environment]?[recordType]?[name]?.isQueryable = field.isQueryable
        } else {
            schemas[environment]?[recordType, default: [:]][name] = field
        }
    }

    /// Adds the schema of development to that of production.
    mutating func deploy() throws(ModelFailure) {
        var production = schemas[.production] ?? [:]
        for (type, fields) in schemas[.development] ?? [:] {
            production[type] = production[type] ?? [:]
            for (name, field) in fields {
                var known = production[type]?[name] ?? field
                guard known.type == field.type else { throw ModelFailure(.invalidArgument) }
                known.isQueryable = known.isQueryable || field.isQueryable
                production[type]?[name] = known
            }
        }
        deployGrants(to: Set((schemas[.production] ?? [:]).keys))
        schemas[.production] = production
        isFixed = true
    }

    mutating func removeField(
        _ name: String,
        from recordType: String,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        guard schemas[environment]?[recordType]?[name] != nil else { throw ModelFailure(.unknownItem) }
        schemas[environment]?[recordType]?[name] = nil
        call = ModelCall()
        for place in records.keys where place.home.environment == environment {
            for var record in (records[place] ?? [:]).values
            where record.type == recordType && record.fields[name] != nil {
                lastTag += 1
                record.fields[name] = nil
                record.tag = lastTag
                put(record.counted, in: place)
            }
        }
        deleteDroppedAssets()
    }
}
