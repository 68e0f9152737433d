import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import TestSupport

/// A container with assets that everybody, only editors, or only the owner may read.
struct AssetScene {
    static let role = "Editor"
    static let zone = "Notes"
    /// All read notes. Only editors have permissions for drafts. All send forms, which only editors may change, and which only their
    /// creators read.
    static let schema = """
        DEFINE SCHEMA CREATE ROLE \(role);
        RECORD TYPE Note (file ASSET, files LIST<ASSET>, title STRING);
        RECORD TYPE Draft (file ASSET, files LIST<ASSET>, title STRING, GRANT READ, CREATE, WRITE TO \(role));
        RECORD TYPE Form (
            file ASSET, files LIST<ASSET>, title STRING,
            GRANT READ TO "_creator", GRANT CREATE TO "_icloud", GRANT WRITE TO \(role)
        );
        """

    let store: AttackedStore
    let account: Account
    let owner: Session

    init() throws {
        store = try AttackedStore()
        try store.container.applySchema(AssetScene.schema)
        account = try store.account(InventedPerson(1))
        owner = try store.container.session(for: account)
        try owner.privateDatabase.save(RecordZone(AssetScene.zone))
    }

    // MARK: Files

    /// Bytes that are the same for the same seed.
    static func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }

    static func record(
        _ assets: [Asset],
        type: String = "Note",
        id: RecordID? = nil,
        zone: String = RecordID.defaultZone
    ) throws -> Record {
        var record = try Record(type: type, id: id ?? RecordID(zone: zone))
        if assets.count == 1 {
            try record.set("file", to: .asset(assets[0]))
        } else if !assets.isEmpty {
            try record.set("files", to: .assetList(assets))
        }
        return record
    }

    // MARK: The store

    /// The service deletes expired uploads and chunks of deleted assets.
    static func clean(_ service: Service) throws {
        for work in service.components.flatMap(\.often) { try work(service) }
        try Sweeper.sweep(service.store)
    }

    /// How many bytes of assets and records are stored, and how many are counted, in one snapshot.
    struct Bytes: Equatable {
        var stored = 0
        var counted = 0
        var rows = 0
    }

    static func bytes(_ service: Service) throws -> Bytes {
        try service.read { db in
            func number(_ sql: StaticString) throws -> Int { try db.first(sql) { Int($0.integer(0)) } ?? 0 }
            let sealed = try number(
                "SELECT CAST(coalesce(sum(length(sealed_fields)), 0) AS BIGINT) FROM records"
            )
            let keys = try number("SELECT CAST(coalesce(sum(length(sealed_asset)), 0) AS BIGINT) FROM assets")
            let chunks = try number(
                """
                SELECT CAST(coalesce(sum(length(c.sealed_chunk)), 0) AS BIGINT) FROM asset_chunks c
                JOIN assets a ON a.container_id = c.container_id AND a.number = c.asset
                """
            )
            return Bytes(
                stored: sealed + keys + chunks,
                counted: try number(
                    "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM record_bytes WHERE kind = 0"
                ),
                rows: try number("SELECT count(*) FROM assets") + number("SELECT count(*) FROM asset_chunks")
                    + number("SELECT count(*) FROM removed_assets")
            )
        }
    }
}
