extension Container {
    /// Counts what the store holds of this container: for the operator, to see it at a glance.
    ///
    /// It reads the whole of it, which takes seconds for a million people; others go on meanwhile.
    ///
    /// - Throws: ``KinfolkError/Code/serviceUnavailable`` if the store cannot be read now.
    public func statistics() throws(KinfolkError) -> ContainerStatistics {
        // What this service has counted itself.
        service.activity.writeAll(to: service.store, lane: service.lane)
        return try service.read { db in
            let people = try StatisticsTable.people(in: number, db)
            let decisions = try StatisticsTable.decisions(in: number, db)
            let permits = try StatisticsTable.permits(in: number, limits(db), at: service.steadyClock(), db)
            let blocks = try StatisticsTable.blocks(in: number, db)
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
                activity: try ActivityTable.all(in: number, at: service.clock(), db).map {
                    .init(day: $0.day, discoveries: $0.discoveries, refusals: $0.refusals)
                },
                optedIn: decisions.history
            )
        }
    }
}
