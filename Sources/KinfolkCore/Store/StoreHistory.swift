package import KinfolkModel
package import KinfolkStorage

/// Identifies the history of a store. Positions in the changes of one history mean nothing in another.
///
/// A restored store gets a new history: it lost changes that readers may have seen, and gives their numbers again. A copy has a
/// history of its own too.
package enum StoreHistory {
    private static let name = "history"

    /// The history; nil before the first zone is made.
    package static func value(_ db: Connection) throws -> RandomID? {
        try ServiceTable.value(name, db).flatMap { $0.withUnsafeBytes(RandomID.init(bytes:)) }
    }

    /// Begins the history of a store that has none.
    package static func begin(_ db: Connection) throws {
        if try value(db) == nil { try renew(db) }
    }

    /// Begins another history.
    package static func renew(_ db: Connection) throws { try ServiceTable.set(name, RandomID.make().bytes, db) }
}
