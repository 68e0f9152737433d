package import KinfolkModel

/// Changes of the counts of bytes, which a transaction writes together.
package struct ByteChanges {
    /// A row of ``ByteCountTable``.
    package struct Count: Hashable {
        package enum Kind: Int64 {
            case database = 0
            case creator = 1
        }

        let container: Int64
        let owner: [UInt8]
        let zone: Int64
        let kind: Kind
        let lane: Int

        /// Whether it is a lane of the public database.
        var isOfPublicDatabase: Bool { owner.isEmpty }
    }

    private(set) var changes: [Count: Int] = [:]
    /// The new allowances of lanes of the public database.
    var allowances: [Count: Int] = [:]
    /// The lanes of whose public database all other allowances are withdrawn.
    var withdrawals: Set<Count> = []

    package init() {}

    /// Notes a change of one record or asset.
    ///
    /// - Parameters:
    ///   - before: What is taken from the counts of the database and of the first creator.
    ///   - after: What is added to the counts of the database and of the second creator.
    package mutating func add(
        from before: (bytes: Int, creator: UserRecordID?),
        to after: (bytes: Int, creator: UserRecordID?),
        lane: Int,
        in place: RecordPlace
    ) {
        // A private database has one writer at a time.
        let isPublic = place.database == .public
        add(after.bytes &- before.bytes, .database, of: place.owner, lane: isPublic ? lane : 0, place)
        guard isPublic else { return }
        if let creator = before.creator { add(0 &- before.bytes, .creator, of: creator.value.bytes, lane: 0, place) }
        if let creator = after.creator { add(after.bytes, .creator, of: creator.value.bytes, lane: 0, place) }
    }

    private mutating func add(_ change: Int, _ kind: Count.Kind, of owner: [UInt8], lane: Int, _ place: RecordPlace) {
        let count = Count(container: place.container, owner: owner, zone: place.zone, kind: kind, lane: lane)
        // Wrapping: the bytes of an asset are in its row, which may have been edited.
        changes[count, default: 0] &+= change
    }

    /// The change of all zones of a private database.
    func total(ofZonesOf count: Count) -> Int {
        changes.reduce(0) { $0 &+ ($1.key.owner == count.owner && $1.key.kind == count.kind ? $1.value : 0) }
    }
}
