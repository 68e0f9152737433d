import Kinfolk
import TestSupport
import Testing

/// Runs steps with the product and with the model, and compares the answers.
final class ModelRun {
    /// The product and the model differ.
    struct Mismatch: Error {
        /// Which step.
        let index: Int
        let what: String
    }

    struct Different: Error {
        let what: String
    }

    typealias Origin = ModelDraft.Origin

    struct Person {
        let number: Int
        let account: AccountID
        let ids: [ContainerEnvironment: UserRecordID]
    }

    struct SessionKey: Hashable {
        let service: Int
        let person: Int
        let environment: ContainerEnvironment
    }

    let store: TestService
    private(set) var services: [Service]
    private(set) var model: RecordModel
    private var people: [Int: Person] = [:]
    /// Who was erased last from a slot.
    private var erased: [Int: Person] = [:]
    private var peopleMade = 0
    private var sessions: [SessionKey: Session] = [:]
    private var hands: [Int: (record: Record, draft: ModelDraft)] = [:]
    private var generated: [Int: RecordID] = [:]
    /// The product's change tag for each of the model.
    private var tags: [Int: String] = [0: String(repeating: "0", count: 16)]
    private var tagsInUse: Set<String> = [String(repeating: "0", count: 16)]
    private var isRotating = false
    /// How often each outcome was compared: "success", or the code of an error.
    private(set) var outcomes: [String: Int] = [:]

    init() throws {
        store = try TestService()
        services = try [store.service] + (1..<StepGenerator.services).map { [store] _ in try store.reopened() }
        model = RecordModel(now: store.clock.now)
        for environment in ContainerEnvironment.allCases {
            try container(environment, 0).setFieldLimit(1_000_000)
        }
    }

    /// The first difference between the product and the model.
    static func mismatch(in steps: [ModelStep]) throws -> Mismatch? { try ModelRun().mismatch(in: steps) }

    /// Takes the steps, and returns the first difference between the product and the model.
    func mismatch(in steps: [ModelStep]) -> Mismatch? {
        for (index, step) in steps.enumerated() {
            do { try take(step) } catch let different as Different {
                return Mismatch(index: index, what: different.what)
            } catch {
                return Mismatch(index: index, what: "unexpected: \(error)")
            }
        }
        return nil
    }

    func container(_ environment: ContainerEnvironment, _ service: Int) throws -> Container {
        try services[service].container(store.container.name, environment: environment)
    }

    private func take(_ step: ModelStep) throws {
        switch step {
        case .fetch(let access, let names, let hand): try fetch(names, access, keep: hand)
        case .save(let access, let draft, let policy, let hand): try save(draft, policy, access, keep: hand)
        case .delete(let access, let draft, let withTag): try delete(draft, withTag, access)
        case .batch(let access, let items, let isAtomic, let hand): try run(items, isAtomic, access, keep: hand)
        case .addField(let environment, let name, let field, let recordType, let service):
            try compare(
                call {
                    let isUsual = field == ModelField(field.type, of: recordType)
                    let indexes: FieldIndexes? = isUsual ? nil : field.isQueryable ? .queryable : []
                    try self.container(environment, service)
                        .addField(name, type: field.type, indexes: indexes, to: recordType)
                },
                expect { () throws(ModelFailure) in
                    try self.model.addField(name, field, to: recordType, in: environment)
                }
            )
        case .declare(let environment, let name, let field, let recordType, let service):
            let text = "DEFINE SCHEMA RECORD TYPE \(recordType) ( \(name) \(field.text) );"
            try compare(
                call { _ = try self.container(environment, service).applySchema(text) },
                expect { () throws(ModelFailure) in
                    try self.model.declare(name, field, of: recordType, in: environment)
                }
            )
        case .deploy(let environment, let service):
            try compare(
                call { _ = try self.container(environment, service).deploySchema() },
                expect { () throws(ModelFailure) in try self.model.deploy() }
            )
        case .removeField(let environment, let name, let recordType, let service):
            try compare(
                call {
                    try self.container(environment, service).removeField(name, from: recordType)
                },
                expect { () throws(ModelFailure) in
                    try self.model.removeField(name, from: recordType, in: environment)
                }
            )
        case .join(let slot): try join(slot)
        case .setSuspended(let slot, let isSuspended):
            guard let person = people[slot] else { return }
            let account = try services[0].account(person.account)
            if isSuspended { try account.suspend() } else { try account.resume() }
            model.setSuspended(person.number, isSuspended)
        case .block(let slot, let other):
            guard let person = people[slot], let id = people[other]?.ids[.production], slot != other else { return }
            // A block has no effect on records.
            try? session(of: person, .production, 0).block(id)
        case .erase(let slot, let keepsRecords, let service): try erase(slot, keepsRecords, service)
        case .export(let slot, let service):
            guard let person = people[slot] else { return }
            try compareExport(services[service].account(person.account).export(), of: person.number)
        case .beginRotation(let isLeaked, let service):
            guard !isRotating else { return }
            _ = try services[service].beginRotation(to: nil, isLeaked: isLeaked)
            isRotating = true
        case .stepRotation(let environment, let service):
            guard isRotating else { return }
            if let environment {
                try renewRecords(of: environment, service)
            } else {
                _ = try services[service].rotateBatch()
            }
        case .finishRotation(let service):
            _ = try services[service].rotateKeys()
            isRotating = false
        case .reopen(let service):
            services[service] = try store.reopened()
            sessions = sessions.filter { $0.key.service != service }
        case .wait(let seconds):
            store.clock.advance(seconds: Double(seconds))
            model.now = store.clock.now
        case .check(let service): try check(service)
        }
    }

    // MARK: People

    private func join(_ slot: Int) throws {
        guard people[slot] == nil else { return }
        let account = try services[0].createAccount(name: PersonName(givenName: "Person \(slot)"))
        peopleMade += 1
        var ids: [ContainerEnvironment: UserRecordID] = [:]
        for environment in ContainerEnvironment.allCases {
            let id = try container(environment, 0).session(for: account).userRecordID()
            ids[environment] = id
            model.join(peopleMade, as: id, in: environment)
        }
        let person = Person(number: peopleMade, account: account.id, ids: ids)
        people[slot] = person
        // Each service has sessions from before an erasure.
        for service in services.indices {
            for environment in ContainerEnvironment.allCases { _ = try session(of: person, environment, service) }
        }
    }

    private func erase(_ slot: Int, _ keepsRecords: Bool, _ service: Int) throws {
        guard let person = people.removeValue(forKey: slot) else { return }
        let erasure = try services[service].account(person.account).erase(keepsPublicRecords: keepsRecords)
        let count = model.erase(person.number, keepsPublicRecords: keepsRecords)
        if erasure.records != count { throw Different(what: "\(erasure.records) records were erased, not \(count)") }
        erased[slot] = person
    }

    private func session(of person: Person, _ environment: ContainerEnvironment, _ service: Int) throws -> Session {
        let key = SessionKey(service: service, person: person.number, environment: environment)
        if let session = sessions[key] { return session }
        let session = try container(environment, service).session(for: services[service].account(person.account))
        sessions[key] = session
        return session
    }

    /// The session and what the model knows of it. Nil if there is nobody who could call.
    private func caller(_ access: ModelStep.Access) throws -> (database: Database, caller: RecordModel.Caller)? {
        let person: Person?
        switch access.actor {
        case .anonymous: person = nil
        case .person(let slot):
            guard let found = people[slot] else { return nil }
            person = found
        case .erased(let slot):
            guard let found = erased[slot] else { return nil }
            let key = SessionKey(service: access.service, person: found.number, environment: access.environment)
            // After a service was opened again, nobody can sign in as a person who was erased.
            guard sessions[key] != nil else { return nil }
            person = found
        }
        let session =
            if let person { try session(of: person, access.environment, access.service) } else {
                try container(access.environment, access.service).anonymousSession()
            }
        return (
            session.database(access.scope),
            RecordModel.Caller(environment: access.environment, user: person?.ids[access.environment])
        )
    }

    // MARK: Records

    private func id(_ name: ModelStep.Name, _ environment: ContainerEnvironment) throws -> RecordID {
        switch name {
        case .own(let number): return try RecordID("name \(number)")
        case .generated(let number):
            let id = generated[number] ?? RecordID()
            generated[number] = id
            return id
        case .user(let slot):
            let nobody = try UserRecordID("_" + String(repeating: "0", count: 32))
            return RecordID((people[slot] ?? erased[slot])?.ids[environment] ?? nobody)
        }
    }

    /// The record that a step names, with its changes.
    private func draft(_ step: ModelStep.Draft, _ environment: ContainerEnvironment) throws -> (
        record: Record, draft: ModelDraft
    ) {
        var held: (record: Record, draft: ModelDraft)
        if let hand = step.hand.flatMap({ hands[$0] }) {
            held = hand
        } else {
            let record = try Record(type: step.type, id: id(step.name, environment))
            held = (record, ModelDraft(type: record.type, name: record.id.name))
        }
        for change in step.changes {
            let isDone = (try? set(change, in: &held.record)) != nil
            if isDone != held.draft.change(change.field, to: change.value) { throw Different(what: "\(change)") }
        }
        return held
    }

    private func set(_ change: ModelStep.Change, in record: inout Record) throws {
        if let value = change.value {
            try record.set(change.field, to: value.value)
        } else {
            try record.remove(change.field)
        }
    }

    private func fetch(_ names: [ModelStep.Name], _ access: ModelStep.Access, keep hand: Int) throws {
        guard let (database, caller) = try caller(access) else { return }
        let ids = try names.map { try id($0, access.environment) }
        let expected = expect { () throws(ModelFailure) in
            try self.model.fetch(ids.map(\.name), access.scope, by: caller)
        }
        if ids.count == 1 {
            let one: Result<ModelRecord?, ModelFailure> = expected.flatMap { $0[0] }
            try compare(call { try database.fetch(ids[0]) }, one, access, keep: hand)
        } else {
            let found = call {
                try database.fetch(ids).map { outcome in outcome.map { Optional($0) } }
            }
            try compare(found, expected, access, keep: hand)
        }
    }

    private func save(_ step: ModelStep.Draft, _ policy: SavePolicy, _ access: ModelStep.Access, keep hand: Int) throws
    {
        guard let (database, caller) = try caller(access) else { return }
        let (record, draft) = try draft(step, access.environment)
        try compare(
            call { try database.save(record, policy: policy) },
            expect { () throws(ModelFailure) in
                try self.model.run(ModelRequest(draft, policy), access.scope, by: caller)
            },
            access,
            keep: hand
        )
    }

    private func delete(_ step: ModelStep.Draft, _ withTag: Bool, _ access: ModelStep.Access) throws {
        guard let (database, caller) = try caller(access) else { return }
        let (record, draft) = try draft(step, access.environment)
        let request = ModelRequest(deleting: draft, withTag: withTag)
        try compare(
            call { () -> Record? in
                try database.delete(record.id, changeTag: withTag ? record.changeTag : nil)
                return nil
            },
            expect { () throws(ModelFailure) in try self.model.run(request, access.scope, by: caller) },
            access,
            keep: nil
        )
    }

    private func run(_ items: [ModelStep.Item], _ isAtomic: Bool, _ access: ModelStep.Access, keep hand: Int) throws {
        guard let (database, caller) = try caller(access) else { return }
        var operations: [RecordOperation] = []
        var requests: [ModelRequest] = []
        for item in items {
            let (record, draft) = try draft(item.draft, access.environment)
            // Most batches have each record once.
            if requests.contains(where: { $0.draft.name == draft.name }), operations.count % 8 != 7 { continue }
            operations.append(item.operation(on: record))
            requests.append(ModelRequest(item.kind, draft))
        }
        try compare(
            call { try Array(database.run(operations, atomically: isAtomic)) },
            expect { () throws(ModelFailure) in
                try self.model.run(requests, atomically: isAtomic, access.scope, by: caller)
            },
            access,
            keep: hand
        )
    }

    // MARK: Comparing

    private func expect<Success>(_ body: () throws(ModelFailure) -> Success) -> Result<Success, ModelFailure> {
        Result(catching: body)
    }

    private func call<Success>(_ body: () throws -> Success) -> Result<Success, KinfolkError> {
        do { return .success(try body()) } catch { return .failure(KinfolkError(error)) }
    }

    private func compare(_ found: Result<Void, KinfolkError>, _ expected: Result<Void, ModelFailure>) throws {
        switch (found, expected) {
        case (.success, .success): break
        case (.failure(let error), .failure(let failure)) where error.code == failure.code: break
        default: throw Different(what: "\(found), expected \(expected)")
        }
    }

    private func compare(
        _ found: Result<[Result<Record?, KinfolkError>], KinfolkError>,
        _ expected: Result<[Result<ModelRecord?, ModelFailure>], ModelFailure>,
        _ access: ModelStep.Access,
        keep hand: Int
    ) throws {
        guard case (.success(let all), .success(let others)) = (found, expected) else {
            return try compare(found.map { _ in }, expected.map { _ in })
        }
        if all.count != others.count { throw Different(what: "\(all.count) results, expected \(others.count)") }
        for (one, other) in zip(all, others) { try compare(one, other, access, keep: hand) }
    }

    private func compare(
        _ found: Result<Record?, KinfolkError>,
        _ expected: Result<ModelRecord?, ModelFailure>,
        _ access: ModelStep.Access,
        keep hand: Int?
    ) throws {
        let records: (Record?, ModelRecord?)
        switch (found, expected) {
        case (.success(let record), .success(let other)):
            outcomes["success", default: 0] += 1
            records = (record, other)
        case (.failure(let error), .failure(let failure)) where error.code == failure.code:
            outcomes["\(error.code)", default: 0] += 1
            records = (error.serverRecord, failure.server)
        default: throw Different(what: "\(found), expected \(expected)")
        }
        switch records {
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
        let fields = other.fields.mapValues(\.value)
        let tag = record.changeTag ?? ""
        // A tag that is new to the model is new.
        if tags[other.tag] == nil, tagsInUse.insert(tag).inserted { tags[other.tag] = tag }
        let isEqual =
            try record.type == other.type && record.id.name == other.name && record.createdAt == other.createdAt
            && record.modifiedAt == other.modifiedAt && record.createdBy == other.creator
            && record.modifiedBy == other.modifier && record.database == origin.scope && tag == tags[other.tag]
            && record.changedKeys.isEmpty && record.state?.home.container == container(origin.environment, 0).number
            && Dictionary(uniqueKeysWithValues: record.keys.map { ($0, record[$0]) }) == fields
        guard isEqual else {
            let state = "\(String(describing: record.state)), \(record.type), \(record.keys)"
            throw Different(what: "\(state), expected \(other), with the tag \(tags[other.tag] ?? "of another record")")
        }
    }
}

extension ModelStep.Item {
    func operation(on record: Record) -> RecordOperation {
        switch kind {
        case .create: .create(record)
        case .update: .update(record)
        case .forceUpdate: .forceUpdate(record)
        case .replace: .replace(record)
        case .forceReplace: .forceReplace(record)
        case .delete: .delete(record.id, changeTag: record.changeTag)
        case .forceDelete: .forceDelete(record.id)
        }
    }
}
