import KinfolkAccounts
import KinfolkModel
import KinfolkRecords

extension Container {
    /// Counts what the store holds of this container: an overview for the operator.
    ///
    /// It reads all of the container's data, which takes seconds for a million people. The container can be used meanwhile.
    ///
    /// - Throws: ``KinfolkError/Code/serviceUnavailable`` if the store cannot be read now.
    public func statistics() throws(KinfolkError) -> ContainerStatistics {
        // Includes what this service has counted but not written yet.
        service.activity.writeAll(to: service.store, lane: service.lane)
        return try service.read { db in
            let people = try StatisticsTable.people(in: number, db)
            let decisions = try StatisticsTable.decisions(in: number, db)
            let permits = try StatisticsTable.permits(in: number, limits(db), at: service.steadyClock(), db)
            let blocks = try StatisticsTable.blocks(in: number, db)
            let assets = try AssetTable.total(in: number, db)
            return ContainerStatistics(
                people: people.all,
                granted: decisions.granted,
                denied: decisions.denied,
                discoverable: try StatisticsTable.discoverable(in: number, db),
                suspended: people.suspended,
                peopleWhoAsked: permits.people,
                permitsSpent: permits.spent,
                peopleWithoutPermits: permits.peopleWithout,
                blocksByPeople: blocks.byPeople,
                blocksByOperator: blocks.byOperator,
                accountLookups: try StatisticsTable.accountLookups(in: number, db),
                privateBytes: try ByteCountTable.totalOfPrivateDatabases(in: number, db),
                publicBytes: try ByteCountTable.totalOfPublicDatabase(in: number, db),
                assets: assets.count,
                assetBytes: assets.bytes,
                activity: try ActivityTable.all(in: number, at: service.clock(), db).map {
                    .init(day: $0.day, discoveries: $0.discoveries, refusals: $0.refusals)
                },
                optedIn: decisions.history
            )
        }
    }
}
