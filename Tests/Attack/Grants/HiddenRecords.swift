import Kinfolk

/// Records of the public database that only moderators may read, and IDs that are as long, of records that were deleted.
struct HiddenRecords {
    static let role = "Moderator"
    /// Only moderators have permissions for these records.
    static let schema = """
        DEFINE SCHEMA CREATE ROLE \(role);
        RECORD TYPE \(RecordScene.type) (GRANT READ, CREATE, WRITE TO \(role));
        """

    let held: [Record]
    let deleted: [Record]
    let moderator: Session

    /// Saves them for the owner of a scene.
    ///
    /// - Parameters:
    ///   - count: How many there are of each kind.
    ///   - types: The grants of other record types, in the schema language.
    init(_ count: Int, in scene: RecordScene, otherTypes types: String = "") throws {
        func saved(_ name: String) throws -> [Record] {
            try (0..<count).map { number in
                let record = try RecordScene.record(RecordID("\(name) \(1_000 + number)"), title: RecordScene.secret)
                return try scene.owner.publicDatabase.save(record)
            }
        }
        held = try saved("held")
        deleted = try saved("free")
        for record in deleted { try scene.owner.publicDatabase.delete(record.id) }
        let container = scene.store.container
        try container.applySchema("\(HiddenRecords.schema) \(types)")
        let account = try scene.store.account(InventedPerson(9))
        moderator = try container.session(for: account)
        try container.grantRole(HiddenRecords.role, to: account)
    }
}
