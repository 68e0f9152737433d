import Kinfolk

/// Compares the answers of the product and of the model.
extension ModelRun {
    func expect<Success>(_ body: () throws(ModelFailure) -> Success) -> Result<Success, ModelFailure> {
        Result(catching: body)
    }

    func call<Success>(_ body: () throws -> Success) -> Result<Success, KinfolkError> {
        do { return .success(try body()) } catch { return .failure(KinfolkError(error)) }
    }

    func compare(_ found: Result<Void, KinfolkError>, _ expected: Result<Void, ModelFailure>) throws {
        switch (found, expected) {
        case (.success, .success): outcomes["success", default: 0] += 1
        case (.failure(let error), .failure(let failure)) where error.code == failure.code:
            outcomes["\(error.code)", default: 0] += 1
        default: throw Different(what: "\(found), expected \(expected)")
        }
    }

    func compare(
        _ found: Result<[Result<Record?, KinfolkError>], KinfolkError>,
        _ expected: Result<[Result<ModelRecord?, ModelFailure>], ModelFailure>,
        _ access: ModelStep.Access,
        keep hand: Int
    ) throws {
        try compare(found.map { _ in }, expected.map { _ in })
        guard case (.success(let all), .success(let others)) = (found, expected) else { return }
        if all.count != others.count { throw Different(what: "\(all.count) results, expected \(others.count)") }
        for (one, other) in zip(all, others) { try compare(one, other, access, keep: hand) }
    }

    func compare(
        _ found: Result<Record?, KinfolkError>,
        _ expected: Result<ModelRecord?, ModelFailure>,
        _ access: ModelStep.Access,
        keep hand: Int?
    ) throws {
        try compare(found.map { _ in }, expected.map { _ in })
        let (record, other): (Record?, ModelRecord?) =
            switch (found, expected) {
            case (.failure(let error), .failure(let failure)): (error.serverRecord, failure.server)
            default: ((try? found.get()) ?? nil, (try? expected.get()) ?? nil)
            }
        switch (record, other) {
        case (nil, nil): break
        case (let record?, let other?):
            let user = try caller(access)?.caller.user
            let origin = Origin(environment: access.environment, scope: access.scope, user: user)
            try compare(record, other, from: origin)
            if let hand { hands[hand] = (record, ModelDraft(other, from: origin)) }
        default: throw Different(what: "\(found), expected \(expected)")
        }
    }

    /// Compares a record with that of the model.
    func compare(_ record: Record, _ other: ModelRecord, from origin: Origin) throws {
        let fields = other.fields.mapValues { $0.value(in: other.zone) }
        let tag = record.changeTag ?? ""
        // A tag that is new to the model is new.
        if tags[other.tag] == nil, tagsInUse.insert(tag).inserted { tags[other.tag] = tag }
        let isEqual =
            try record.type == other.type && record.id.name == other.name && record.id.zone == other.zone
            && record.createdAt == other.createdAt
            && record.modifiedAt == other.modifiedAt && record.createdBy == other.creator
            && record.modifiedBy == other.modifier && record.database == origin.scope && tag == tags[other.tag]
            && record.parent?.target.name == other.parent?.references.first?.target && record.changedKeys.isEmpty
            && record.state?.home.container == container(origin.environment, 0).number
            && Dictionary(uniqueKeysWithValues: record.keys.map { ($0, record[$0]) }) == fields
        guard isEqual else {
            let state = "\(String(describing: record.state)), \(record.type), \(record.keys)"
            throw Different(what: "\(state), expected \(other), with the tag \(tags[other.tag] ?? "of another record")")
        }
    }
}
