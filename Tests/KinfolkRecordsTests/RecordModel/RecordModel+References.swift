import Kinfolk
import ServiceSupport

/// References between the records of a zone.
extension RecordModel {
    private static let maximumSources = 750
    private static let maximumCascade = 10_000

    /// The records of a zone that refer to others, by the names of the others.
    private func sources(_ kind: BackReference.Kind, in place: ModelPlace) -> [String: [ModelRecord]] {
        var sources: [String: [ModelRecord]] = [:]
        for record in (records[place] ?? [:]).values {
            for link in Set(record.links) where link.kind == kind { sources[link.target, default: []].append(record) }
        }
        return sources
    }

    /// A record and all that are deleted with it.
    private func cascade(of first: ModelRecord, in place: ModelPlace) -> [ModelRecord] {
        let sources = sources(.deleteSelf, in: place)
        var found = [first]
        var names: Set = [first.name]
        var next = 0
        while next < found.count {
            found += (sources[found[next].name] ?? []).filter { names.insert($0.name).inserted }
            next += 1
        }
        return found
    }

    /// Whether a record that stays needs one of those that go.
    private func isNeeded(_ gone: [ModelRecord], in place: ModelPlace) -> Bool {
        let numbers = Set(gone.map(\.number))
        let sources = sources(.validate, in: place)
        return gone.contains { (sources[$0.name] ?? []).contains { !numbers.contains($0.number) } }
    }

    /// Deletes a record and all that refer to it with `deleteSelf`.
    mutating func deleteWithSources(_ record: ModelRecord, in place: ModelPlace) throws(ModelFailure) {
        let gone = cascade(of: record, in: place)
        guard call.deleted.count + gone.count <= RecordModel.maximumCascade else { throw ModelFailure(.limitExceeded) }
        if isNeeded(gone, in: place) {
            guard call.defersConditions else { throw ModelFailure(.referenceViolation) }
            let key = ModelKey(zone: record.zone, name: record.name)
            call.conditions.append(.isNotNeeded(gone, in: place, of: key))
        }
        for record in gone { remove(record, from: place) }
    }

    /// Deletes a record in an erasure, also if another record needs it, and without a limit.
    mutating func eraseWithSources(_ record: ModelRecord, in place: ModelPlace) {
        for record in cascade(of: record, in: place) { remove(record, from: place) }
    }

    /// Why a caller may not refer to a record; nil if nothing is against it.
    private func refusal(of target: String, in place: ModelPlace, by caller: Caller) -> ModelFailure? {
        guard let record = record(target, in: place), !isHidden(record, in: place, from: caller) else {
            return ModelFailure(.referenceViolation)
        }
        let mayWrite = permissions(for: record, in: place, by: caller).contains(.write)
        return mayWrite ? nil : ModelFailure(.permissionFailure)
    }

    /// Throws unless a record may refer to what it newly refers to. Returns the targets that later items must save.
    ///
    /// - Parameter isSet: Whether the caller sets a field.
    func requireTargets(
        of record: ModelRecord,
        before: ModelRecord?,
        _ isSet: (String) -> Bool,
        in place: ModelPlace,
        by caller: Caller
    ) throws(ModelFailure) -> [ModelKey] {
        if (try? UserRecordID(record.name)) != nil, record.links.contains(where: { $0.kind == .deleteSelf }) {
            throw ModelFailure(.invalidArgument)
        }
        var upcoming: [ModelKey] = []
        // To what a record refers is known to those who may read it.
        let mayRead = before.map { permissions(for: $0, in: place, by: caller).contains(.read) } ?? true
        let known = Set(mayRead ? before?.links ?? [] : [])
        var sent = record
        sent.fields = record.fields.filter { isSet($0.key) }
        for link in sent.links where !known.contains(link) && link.kind != .parent {
            let key = ModelKey(zone: place.zone, name: link.target)
            if link.target != record.name, let refusal = refusal(of: link.target, in: place, by: caller) {
                guard refusal.code == .referenceViolation, call.upcoming.contains(key) else { throw refusal }
                upcoming.append(key)
                if self.record(link.target, in: place) != nil { continue }
            }
            if link.kind == .deleteSelf,
                // There are not more sources than records.
                (records[place] ?? [:]).count >= RecordModel.maximumSources,
                (sources(.deleteSelf, in: place)[link.target] ?? []).count >= RecordModel.maximumSources
            {
                throw ModelFailure(.limitExceeded)
            }
        }
        return upcoming
    }

    /// The records whose items fail because of a condition that is not met when all items are done, and their errors.
    func unmetConditions(in home: ModelPlace.Home, by caller: Caller) -> [ModelKey: ModelFailure] {
        var unmet: [ModelKey: ModelFailure] = [:]
        for case .exists(let target, let source) in call.conditions where unmet[source] == nil {
            unmet[source] = refusal(of: target.name, in: ModelPlace(home: home, zone: target.zone), by: caller)
        }
        // A record whose item fails takes those with it that refer to it.
        var count = -1
        while count < unmet.count {
            count = unmet.count
            for case .exists(let target, let source) in call.conditions
            where unmet[target] != nil && unmet[source] == nil {
                unmet[source] = ModelFailure(.referenceViolation)
            }
        }
        guard unmet.isEmpty else { return unmet }
        for case .isNotNeeded(let gone, let place, let key) in call.conditions where isNeeded(gone, in: place) {
            unmet[key] = ModelFailure(.referenceViolation)
        }
        return unmet
    }

    /// The records that refer to a record, of which the caller may read both.
    func backReferences(
        to key: ModelKey,
        limit: Int,
        _ scope: DatabaseScope,
        by caller: Caller
    ) throws(ModelFailure) -> [(kind: BackReference.Kind, source: ModelRecord)] {
        guard (1...Database.maximumBatch).contains(limit) else { throw ModelFailure(.invalidArgument) }
        guard let place = place(key.zone, in: try home(scope, of: caller)) else { throw ModelFailure(.zoneNotFound) }
        guard let record = record(key.name, in: place), permissions(for: record, in: place, by: caller).contains(.read)
        else { throw ModelFailure(.unknownItem) }
        return BackReference.Kind.allCases.flatMap { kind in
            (sources(kind, in: place)[key.name] ?? [])
                .filter { permissions(for: $0, in: place, by: caller).contains(.read) }
                .map { (kind, $0) }
        }
    }
}
