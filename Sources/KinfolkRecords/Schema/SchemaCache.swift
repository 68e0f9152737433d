package import KinfolkCore
import KinfolkModel
package import KinfolkStorage
import KinfolkThreads

/// The schemas that a service has read, one for each container.
package final class SchemaCache: ServicePart {
    private let schemas = Lock<[Int64: ContainerSchema]>([:])
    private let fork = Fork.generation

    /// The schema as this transaction sees it.
    package func schema(of container: Int64, _ db: Connection) throws -> ContainerSchema {
        let stamp = try SchemaTable.stamp(of: container, db)
        if let known = known(container), known.stamp == stamp.value { return known }
        let schema = try SchemaTable.schema(of: container, stamp, db)
        keep(schema, of: container)
        return schema
    }

    /// The name of a record type. A number always means the same name, so an older schema can answer.
    package func name(ofType type: Int64, in container: Int64, _ db: Connection) throws -> String {
        if type == 0 { return RecordType.users }
        if let name = known(container)?.type(type)?.name { return name }
        guard let name = try schema(of: container, db).type(type)?.name else {
            throw KinfolkError.damaged("The type of a record is not in the schema.")
        }
        return name
    }

    private func known(_ container: Int64) -> ContainerSchema? {
        // In a forked child, the parent may have been changing it.
        guard fork == Fork.generation else { return nil }
        return schemas.withLock { $0[container] }
    }

    private func keep(_ schema: ContainerSchema, of container: Int64) {
        guard fork == Fork.generation else { return }
        schemas.withLock { $0[container] = schema }
    }
}

extension Service {
    package var schemas: SchemaCache { part(SchemaCache.self) }
}
