import Kinfolk

/// A user with custom zones in which records were saved and deleted, and the user's tokens.
struct ChangeScene {
    static let zone = "Notes"
    static let otherZone = "Archive"

    let scene: RecordScene
    let database: Database
    /// Positions before all changes of the zone and of the database, so that a reader who has them gets all that there is.
    let ofZone: ServerChangeToken
    let ofDatabase: ServerChangeToken

    init() throws {
        scene = try RecordScene()
        database = scene.owner.privateDatabase
        try database.save(RecordZone(ChangeScene.zone))
        ofZone = try database.changes(inZone: ChangeScene.zone).token
        ofDatabase = try database.changes().token
        try ChangeScene.change(database)
    }

    /// Makes the zones, if there are none, and changes them.
    static func change(_ database: Database) throws {
        for zone in [ChangeScene.zone, ChangeScene.otherZone] {
            try database.save(RecordZone(zone))
            for number in 0..<4 {
                let id = try RecordID("\(RecordScene.secret) \(number)", zone: zone)
                _ = try database.save(RecordScene.record(id, title: RecordScene.secret), policy: .allKeys)
            }
            try database.delete(RecordID("\(RecordScene.secret) 3", zone: zone))
        }
        try database.save(RecordZone("\(RecordScene.secret) zone"))
        try database.deleteZone("\(RecordScene.secret) zone")
    }
}

/// What a call with a token returns.
enum TokenAnswer: Equatable {
    /// A page, with the number of its records, deletions or zones.
    case page(Int)
    case expired
    case refused(KinfolkError.Code)

    /// - Parameter zone: Whose changes are read; nil for those of the database.
    init(of database: Database, inZone zone: String?, since token: ServerChangeToken) {
        do {
            if let zone {
                let page = try database.changes(inZone: zone, since: token)
                self = .page(page.records.count + page.deleted.count)
            } else {
                let page = try database.changes(since: token)
                self = .page(page.changed.count + page.deleted.count)
            }
        } catch { self = error.code == .changeTokenExpired ? .expired : .refused(error.code) }
    }

    /// Whether a reader follows changes from the token on.
    var isAccepted: Bool { if case .page = self { true } else { false } }
}
