import KinfolkStorage

/// One application's silo. Nothing links one container to another.
public final class Container: Sendable {
    /// The service that the container is of.
    public let service: Service

    /// The container's name, in reverse DNS: `com.example.notes`.
    public let name: String

    package let number: Int64

    init(service: Service, name: String, number: Int64) {
        self.service = service
        self.name = name
        self.number = number
    }

    static var unknown: KinfolkError {
        KinfolkError(.unknownItem, "There is no container with this name: make it first.")
    }
}

extension Service {
    /// Makes a container.
    ///
    /// - Parameter name: Two or more labels of ASCII letters, digits and inner hyphens, joined by dots; at most 255 bytes.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if this is no such name, ``KinfolkError/Code/conflict`` if there is
    ///   one with this name.
    public func createContainer(_ name: String) throws(KinfolkError) -> Container {
        try ContainerName.validate(name)
        return try write { db in
            guard try ContainerTable.number(named: name, keys(db), db) == nil else {
                throw KinfolkError(.conflict, "There is a container with this name already: open it.")
            }
            let number = try ContainerTable.insert(name, at: clock(), keys(db), db)
            try keys(db).newest.makeContainerKey(for: number, db)
            try ContainerLimitsTable.set(.standard, of: number, keys(db), db)
            try DirectoriesTable.insert(0, .complete, in: number, db)
            // Whoever has seen this container's key knows it under this state of the store alone: a server may undo it, and give
            // the number again.
            try KeyTable.renewStamp(db)
            return Container(service: self, name: name, number: number)
        }
    }

    /// The container with this name.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if this is no container's name, ``KinfolkError/Code/unknownItem`` if
    ///   there is none with it.
    public func container(_ name: String) throws(KinfolkError) -> Container {
        try ContainerName.validate(name)
        return try read { db in
            guard let number = try ContainerTable.number(named: name, keys(db), db) else { throw Container.unknown }
            return Container(service: self, name: name, number: number)
        }
    }

    /// All containers, in the order of their names.
    public func containers() throws(KinfolkError) -> [Container] {
        try read { db in
            try ContainerTable.verified(keys(db), db).map { Container(service: self, name: $0.name, number: $0.number) }
        }
    }
}
