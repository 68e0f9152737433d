package import KinfolkFiles
import KinfolkThreads

extension Store {
    /// Whether the path is the address of a server, and not the path of a file.
    package static func isServer(_ path: FilePath) -> Bool { PostgreSQLAddress.isOne(path) }

    /// Whether the database of a server is empty.
    package static func isEmpty(_ address: FilePath, wait: Double, isReadOnly: Bool) throws -> Bool {
        try PostgreSQLEngine(PostgreSQLAddress(address), wait: wait, isReadOnly: isReadOnly).isEmpty(
            until: Deadline(in: wait)
        )
    }

    static func engine(
        for path: FilePath,
        identity: FileIdentity?,
        wait: Double,
        cacheSize: Int,
        isReadOnly: Bool
    ) throws -> any Engine {
        isServer(path)
            ? PostgreSQLEngine(try PostgreSQLAddress(path), wait: wait, isReadOnly: isReadOnly)
            : SQLiteEngine(path: path, identity: identity, cacheSize: cacheSize, isReadOnly: isReadOnly)
    }
}
