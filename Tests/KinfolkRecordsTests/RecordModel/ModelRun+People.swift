import Kinfolk
import TestSupport

/// People, and their sessions.
extension ModelRun {
    func join(_ slot: Int) throws {
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

    func setSuspended(_ slot: Int, _ isSuspended: Bool) throws {
        guard let person = people[slot] else { return }
        let account = try services[0].account(person.account)
        if isSuspended { try account.suspend() } else { try account.resume() }
        model.setSuspended(person.number, isSuspended)
    }

    /// A block has no effect on records.
    func block(_ slot: Int, _ other: Int) throws {
        guard let person = people[slot], let id = people[other]?.ids[.production], slot != other else { return }
        try? session(of: person, .production, 0).block(id)
    }

    func erase(_ slot: Int, _ keepsRecords: Bool, _ service: Int) throws {
        guard let person = people.removeValue(forKey: slot) else { return }
        let erasure = try services[service].account(person.account).erase(keepsPublicRecords: keepsRecords)
        let count = model.erase(person.number, keepsPublicRecords: keepsRecords)
        if erasure.records != count { throw Different(what: "\(erasure.records) records were erased, not \(count)") }
        erased[slot] = person
    }

    func session(of person: Person, _ environment: ContainerEnvironment, _ service: Int) throws -> Session {
        let key = SessionKey(service: service, person: person.number, environment: environment)
        if let session = sessions[key] { return session }
        let session = try container(environment, service).session(for: services[service].account(person.account))
        sessions[key] = session
        return session
    }

    /// The session and what the model knows of it. Nil if there is nobody who could call.
    func caller(_ access: ModelStep.Access) throws -> (database: Database, caller: RecordModel.Caller)? {
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
}
