public import KinfolkCore
public import KinfolkModel
package import KinfolkStorage

/// The isolated data of one application. Nothing links one container to another.
public final class Container: Sendable {
    /// The service to which the container belongs.
    public let service: Service

    /// The container's name, in reverse DNS: `com.example.notes`.
    public let name: String

    /// Whether this is the container's production or its development environment.
    public let environment: ContainerEnvironment

    package let number: Int64

    package init(service: Service, name: String, environment: ContainerEnvironment, number: Int64) {
        self.service = service
        self.name = name
        self.environment = environment
        self.number = number
    }

    package static var unknown: KinfolkError {
        KinfolkError(.unknownItem, "There is no container with this name: make it first.")
    }

    package static var ending: KinfolkError {
        KinfolkError(.conflict, "The container with this name is being deleted: delete it again to finish that.")
    }

    /// Throws if the container was deleted. Every call of a container or session checks this, because not all calls use its keys.
    package func requireInUse(_ db: Connection) throws { try service.keys(db).requireInUse(number) }
}

extension Service {
    /// Creates a container.
    ///
    /// - Parameter name: Two or more labels of ASCII letters, digits and inner hyphens, joined by dots; at most 255 bytes.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if `name` does not have this form, ``KinfolkError/Code/conflict`` if there
    ///   is a container with this name.
    public func createContainer(_ name: String) throws(KinfolkError) -> Container {
        try ContainerName.validate(name)
        return try write { db in
            switch try ContainerTable.row(named: name, .production, keys(db), db)?.state {
            case nil, .deleted: return try createContainer(name, .production, db)
            case .inUse:
                throw KinfolkError(.conflict, "There is a container with this name already: open it.")
            case .ending: throw Container.ending
            }
        }
    }

    /// Opens the container with this name, and creates it if it does not exist.
    ///
    /// If several processes call this at the same time, one of them creates the container, and all of them get it.
    ///
    /// - Returns: The container, and whether this call created it.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if `name` is not a valid container name, ``KinfolkError/Code/conflict`` if
    ///   the container with this name is being deleted.
    public func openOrCreateContainer(
        _ name: String
    ) throws(KinfolkError) -> (container: Container, isNew: Bool) {
        try ContainerName.validate(name)
        return try openOrCreate(name, .production)
    }

    private func openOrCreate(
        _ name: String,
        _ environment: ContainerEnvironment
    ) throws(KinfolkError) -> (container: Container, isNew: Bool) {
        let known = try read { db in try ContainerTable.row(named: name, environment, keys(db), db) }
        if let known, known.state == .inUse { return (container(known), false) }
        return try write { db in
            guard let known = try ContainerTable.row(named: name, environment, keys(db), db) else {
                if environment == .development { try requireProduction(name, db) }
                return (try createContainer(name, environment, db), true)
            }
            guard known.state == .inUse else { throw Container.ending }
            return (container(known), false)
        }
    }

    /// A development environment is made only for a container that exists.
    private func requireProduction(_ name: String, _ db: Connection) throws {
        let row = try ContainerTable.row(named: name, .production, keys(db), db)
        guard let row, row.state == .inUse else { throw Container.unknown }
    }

    private func container(_ row: ContainerTable.Row) -> Container {
        Container(service: self, name: row.name, environment: row.environment, number: row.number)
    }

    private func createContainer(
        _ name: String,
        _ environment: ContainerEnvironment,
        _ db: Connection
    ) throws -> Container {
        let number = try ContainerTable.insert(name, environment, at: clock(), keys(db), db)
        try keys(db).newest.makeContainerKey(for: number, db)
        try ContainerLimitsTable.set(.standard, of: number, keys(db), db)
        try updateIndexes(after: ContainerCreation(container: number), db)
        // Keys in memory belong to a key stamp. If a server loses this transaction, another container may get the same number;
        // the new stamp ensures that a key of the lost container in memory is not used for it.
        try KeyTable.renewStamp(db)
        return Container(service: self, name: name, environment: environment, number: number)
    }

    /// The container with this name.
    ///
    /// - Parameters:
    ///   - name: The container's name.
    ///   - environment: The environment to open. The first opening creates the development environment.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if `name` is not a valid container name, ``KinfolkError/Code/unknownItem``
    ///   if there is no container with this name.
    public func container(
        _ name: String,
        environment: ContainerEnvironment = .production
    ) throws(KinfolkError) -> Container {
        try ContainerName.validate(name)
        guard environment == .production else { return try openOrCreate(name, environment).container }
        return try read { db in
            let row = try ContainerTable.row(named: name, environment, keys(db), db)
            guard let row, row.state == .inUse else { throw Container.unknown }
            return container(row)
        }
    }

    /// The container with this name in one of its environments; nil if it does not exist, or is being deleted.
    package func container(
        named name: String,
        _ environment: ContainerEnvironment,
        _ db: Connection
    ) throws -> Container? {
        guard let row = try ContainerTable.row(named: name, environment, keys(db), db), row.state == .inUse else {
            return nil
        }
        return container(row)
    }

    /// All containers, in production, in the order of their names.
    public func containers() throws(KinfolkError) -> [Container] {
        try read { db in
            try ContainerTable.verified(keys(db), db).filter { $0.state == .inUse && $0.environment == .production }
                .map(container)
        }
    }
}

extension Container: Redacted {}
