package import KinfolkCore
import KinfolkCrypto
import KinfolkModel
package import KinfolkStorage
import KinfolkThreads

/// The schemas that a service has read, one for each container.
package final class SchemaCache: ServicePart {
    private struct Known {
        let schema: ContainerSchema
        /// The key stamp of a store in which a read saw the schema. What a write saw may be undone, and a restored store, which has
        /// another stamp, may give the same numbers to other types.
        var seenIn: Tag?
    }

    private let schemas = Lock<[Int64: Known]>([:])
    private let fork = Fork.generation

    /// The schema as this transaction sees it.
    package func schema(of container: Int64, _ db: Connection) throws -> ContainerSchema {
        let stamp = try SchemaTable.stamp(of: container, db)
        if let known = known(container)?.schema, known.stamp == stamp.value { return known }
        let schema = try SchemaTable.schema(of: container, stamp, db)
        keep(Known(schema: schema), of: container)
        return schema
    }

    /// The name of a record type. In one store a number always means the same name, so an older schema can answer.
    package func name(ofType type: Int64, in container: Int64, _ service: Service, _ db: Connection) throws -> String {
        if type == 0 { return RecordType.users }
        let stamp = try service.keys(db).stamp
        if let known = known(container), known.seenIn == stamp, let name = known.schema.name(ofType: type) {
            return name
        }
        let schema = try schema(of: container, db)
        guard let name = schema.name(ofType: type) else {
            throw KinfolkError.damaged("The type of a record is not in the schema.")
        }
        if db.keepsNotes { keep(Known(schema: schema, seenIn: stamp), of: container) }
        return name
    }

    private func known(_ container: Int64) -> Known? {
        // In a forked child, the parent may have been changing it.
        guard fork == Fork.generation else { return nil }
        return schemas.withLock { $0[container] }
    }

    private func keep(_ schema: Known, of container: Int64) {
        guard fork == Fork.generation else { return }
        schemas.withLock { $0[container] = schema }
    }
}

extension Service {
    package var schemas: SchemaCache { part(SchemaCache.self) }
}
