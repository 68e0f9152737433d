import Kinfolk

/// People come and go.
extension RecordModel {
    mutating func join(_ person: Int, as user: UserRecordID, in environment: ContainerEnvironment) {
        // Only the day is kept, which links the person's containers less.
        let day: Int64 = 86_400_000_000
        let since = Timestamp(microseconds: now.microseconds / day * day)
        users[environment]?[user] = User(person: person, since: since)
    }

    mutating func setSuspended(_ person: Int, _ isSuspended: Bool) {
        if isSuspended { suspended.insert(person) } else { suspended.remove(person) }
    }

    private func user(_ person: Int, in environment: ContainerEnvironment) -> UserRecordID? {
        users[environment]?.first { $0.value.person == person }?.key
    }

    /// Erases a person. Returns how many records went.
    mutating func erase(_ person: Int, keepsPublicRecords: Bool) -> Int {
        var count = 0
        call = ModelCall()
        for environment in ContainerEnvironment.allCases {
            guard let user = user(person, in: environment) else { continue }
            let own = ModelPlace.Home(environment: environment, owner: user)
            for place in records.keys where place.home == own {
                count += records.removeValue(forKey: place)?.values.count { $0.type != "Users" } ?? 0
            }
            for place in assets.keys where place.home == own { assets[place] = nil }
            databases[own] = nil
            count += 2 + erasePublicRecords(of: user, in: environment, keeps: keepsPublicRecords)
            users[environment]?[user] = nil
            members[environment]?[user] = nil
        }
        suspended.remove(person)
        return count
    }

    private mutating func erasePublicRecords(
        of user: UserRecordID,
        in environment: ContainerEnvironment,
        keeps: Bool
    ) -> Int {
        let home = ModelPlace.Home(environment: environment, owner: nil)
        let shared = ModelPlace(home: home, zone: RecordZone.defaultName)
        var count = 0
        for (name, record) in records[shared] ?? [:] where record.creator == user {
            if keeps && record.type != "Users" {
                var kept = record
                kept.creator = nil
                records[shared]?[name] = kept.counted
            } else {
                if record.type != "Users" { count += 1 }
                eraseWithSources(record, in: shared)
            }
        }
        for (name, record) in records[shared] ?? [:] where record.modifier == user {
            var kept = record
            kept.modifier = nil
            records[shared]?[name] = kept.counted
        }
        deleteDroppedAssets()
        eraseAssets(of: user, in: shared)
        return count
    }

    /// The records that the export of a person holds.
    func export(of person: Int) -> [(Origin, ModelRecord)] {
        ContainerEnvironment.allCases.flatMap { environment -> [(Origin, ModelRecord)] in
            guard let user = user(person, in: environment) else { return [] }
            return DatabaseScope.allCases.flatMap { scope -> [(Origin, ModelRecord)] in
                let home = ModelPlace.Home(environment: environment, owner: scope == .private ? user : nil)
                let name = user.description
                let all = records.filter { $0.key.home == home }.flatMap(\.value.values)
                let others = all.filter { $0.creator == user && $0.name != name }
                let own = record(name, in: ModelPlace(home: home, zone: RecordZone.defaultName))
                return (others + [own].compactMap(\.self)).map {
                    (Origin(environment: environment, scope: scope, user: user), $0)
                }
            }
        }
    }

    /// The contents of the assets that these records have.
    func exportedFiles(of person: Int) -> [Asset: [UInt8]] {
        let files = Set(export(of: person).flatMap(\.1.assets))
        let all = assets.values.flatMap(\.values).compactMap { asset in asset.file.map { ($0, asset.content) } }
        return Dictionary(uniqueKeysWithValues: all.filter { files.contains($0.0) })
    }

    /// The custom zones that the export of a person names.
    func exportedZones(of person: Int) -> [String] {
        ContainerEnvironment.allCases.flatMap { environment in
            let home = user(person, in: environment).map { ModelPlace.Home(environment: environment, owner: $0) }
            return home.flatMap { databases[$0]?.zones.keys.map { "\(environment) \($0)" } } ?? []
        }
    }
}
