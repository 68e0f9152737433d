import Kinfolk

/// The operator changes the schema.
extension ModelRun {
    func addField(
        _ name: String,
        _ field: ModelField,
        to recordType: String,
        _ environment: ContainerEnvironment,
        _ service: Int
    ) throws {
        let isUsual = field == ModelField(field.type, of: recordType)
        let indexes: FieldIndexes? = isUsual ? nil : field.isQueryable ? .queryable : []
        try compare(
            call {
                try self.container(environment, service)
                    .addField(name, type: field.type, indexes: indexes, to: recordType)
            },
            expect { () throws(ModelFailure) in
                try self.model.addField(name, field, to: recordType, in: environment)
            }
        )
    }

    /// Applies a text with one field.
    func declare(
        _ name: String,
        _ field: ModelField,
        of recordType: String,
        _ environment: ContainerEnvironment,
        _ service: Int
    ) throws {
        let text = "DEFINE SCHEMA RECORD TYPE \(recordType) ( \(name) \(field.text) );"
        try compare(
            call { _ = try self.container(environment, service).applySchema(text) },
            expect { () throws(ModelFailure) in
                try self.model.declare(name, field, of: recordType, in: environment)
            }
        )
    }

    func deploy(_ environment: ContainerEnvironment, _ service: Int) throws {
        try compare(
            call { _ = try self.container(environment, service).deploySchema() },
            expect { () throws(ModelFailure) in try self.model.deploy() }
        )
    }

    func removeField(
        _ name: String,
        from recordType: String,
        _ environment: ContainerEnvironment,
        _ service: Int
    ) throws {
        try compare(
            call { try self.container(environment, service).removeField(name, from: recordType) },
            expect { () throws(ModelFailure) in
                try self.model.removeField(name, from: recordType, in: environment)
            }
        )
    }
}
