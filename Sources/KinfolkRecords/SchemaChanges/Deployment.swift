import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// The deployment of a container's schema: from development to production, in one transaction.
struct Deployment {
    let production: Container
    let plan: SchemaPlan

    /// - Parameter container: The container in either of its environments.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the container has no development environment,
    ///   ``KinfolkError/Code/invalidArgument`` if a field has another type in production,
    ///   ``KinfolkError/Code/limitExceeded`` if the schema of production would be too large.
    init(of container: Container, _ db: Connection) throws {
        try container.requireInUse(db)
        let service = container.service
        production = try Deployment.container(named: container.name, .production, service, db)
        let development = try Deployment.container(named: container.name, .development, service, db)
        let declared = try service.schemas.schema(of: development.number, service, db)
        let known = try service.schemas.schema(of: production.number, service, db)
        plan = try SchemaPlan(DeclaredSchema(declared), for: known, .addition)
    }

    func run(_ db: Connection) throws {
        try SchemaApplication(plan, in: production, db).run()
        _ = try SchemaTable.takeNumbers(0, in: production.number, db)
        try SchemaChangesTable.fix(production.number, db)
    }

    private static func container(
        named name: String,
        _ environment: ContainerEnvironment,
        _ service: Service,
        _ db: Connection
    ) throws -> Container {
        guard let container = try service.container(named: name, environment, db) else {
            throw KinfolkError(
                .unknownItem,
                "The container has no development environment yet: open it, and declare or use its schema there first."
            )
        }
        return container
    }
}
