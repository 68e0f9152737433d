package import KinfolkCore
import KinfolkCrypto
import KinfolkModel
package import KinfolkStorage
import KinfolkThreads

/// The schemas that a service has read, one for each container.
package final class SchemaCache: ServicePart {
    private struct Kept {
        let schema: ContainerSchema
        /// The key stamp of a store in which a read saw the schema. What a write saw may be undone, and a restored store, which has
        /// another stamp, may give the same numbers to other types.
        var seenIn: Tag?
    }

    /// The schemas that reads of one connection have seen, while nothing in the store has changed.
    private final class Seen: KnownNotes {
        var schemas: [Int64: ContainerSchema] = [:]
    }

    private let schemas = Lock<[Int64: Kept]>([:])
    private let fork = Fork.generation

    /// The schema as this transaction sees it.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if a record type or its grants were edited without the key.
    package func schema(of container: Int64, _ service: Service, _ db: Connection) throws -> ContainerSchema {
        let seen = try Known.of(db)?.notes(Seen.self)
        if let schema = seen?.schemas[container] { return schema }
        let stamp = try SchemaTable.stamp(of: container, db)
        let schema: ContainerSchema
        if let known = known(container)?.schema, known.stamp == stamp.value {
            schema = known
        } else {
            schema = try SchemaTable.schema(of: container, stamp, service.keys(db), db)
            keep(Kept(schema: schema), of: container)
        }
        seen?.schemas[container] = schema
        return schema
    }

    /// The schema that was read last. It may have changed since.
    func latest(of container: Int64) -> ContainerSchema? { known(container)?.schema }

    /// The name of a record type. In one store a number always means the same name, so an older schema can answer.
    package func name(ofType type: Int64, in container: Int64, _ service: Service, _ db: Connection) throws -> String {
        if type == 0 { return RecordType.users }
        if let reserved = ReservedType.type(type) { return reserved.name }
        let stamp = try service.keys(db).stamp
        if let known = known(container), known.seenIn == stamp, let name = known.schema.name(ofType: type) {
            return name
        }
        let schema = try schema(of: container, service, db)
        guard let name = schema.name(ofType: type) else {
            throw RecordAccess.unknownType
        }
        if db.keepsNotes { keep(Kept(schema: schema, seenIn: stamp), of: container) }
        return name
    }

    private func known(_ container: Int64) -> Kept? {
        // In a forked child, the parent may have been changing it.
        guard fork == Fork.generation else { return nil }
        return schemas.withLock { $0[container] }
    }

    private func keep(_ schema: Kept, of container: Int64) {
        guard fork == Fork.generation else { return }
        schemas.withLock { $0[container] = schema }
    }
}

extension Service {
    package var schemas: SchemaCache { part(SchemaCache.self) }
}
