import Kinfolk
import KinfolkModel
import TestSupport

/// People of different rights subscribe to everything. Roles are granted and revoked, people suspended, resumed and erased, and keys rotated,
/// between the changes of others. Each notification is compared with what a fetch at the same moment returns.
struct SubscriptionReach {
    let steps: Int

    private final class Person {
        let session: Session
        let account: Account
        var isSuspended = false
        var isEditor = false

        init(_ session: Session, _ account: Account) { (self.session, self.account) = (session, account) }
    }

    private struct Saved {
        let creator: UserRecordID?
        var record: Record
        let session: Session
    }

    func finding() throws -> Finding {
        let scene = try SubscriptionScene()
        var random = SeededGenerator(seed: 11)
        var (count, wrong, invited) = (0, 0, 0)
        var people: [Person] = []
        var saved: [Saved] = []
        var creators: [String: UserRecordID?] = [:]
        func invite() throws {
            invited += 1
            let session = try scene.store.session(InventedPerson(invited))
            try scene.subscribe(session)
            people.append(Person(session, try scene.store.account(of: session)))
        }
        for _ in 0..<4 { try invite() }
        for step in 0..<steps {
            let chosen = Int.random(in: 0..<people.count, using: &random)
            let person = people[chosen]
            switch Int.random(in: 0..<20, using: &random) {
            case 0...7:
                guard !person.isSuspended else { continue }
                let type = SubscriptionScene.types[step % 3]
                let name = "\(type) \(step)"
                let record = try person.session.publicDatabase.save(
                    SubscriptionScene.record(type, name, title: "title \(step % 4)")
                )
                creators[name] = person.session.recordID
                saved.append(Saved(creator: person.session.recordID, record: record, session: person.session))
                _ = try person.session.privateDatabase.save(SubscriptionScene.record(type, name, title: "own"))
            case 8...11:
                guard let index = saved.indices.randomElement(using: &random) else { continue }
                // The creator may have been suspended or erased.
                try? saved[index].record.set("title", to: .string("title \(step % 4)"))
                if let new = try? saved[index].session.publicDatabase.save(saved[index].record) {
                    saved[index].record = new
                }
            case 12...14:
                guard let index = saved.indices.randomElement(using: &random) else { continue }
                if (try? saved[index].session.publicDatabase.delete(saved[index].record.id)) != nil {
                    saved.remove(at: index)
                }
            case 15, 16:
                person.isEditor.toggle()
                if person.isEditor {
                    try scene.store.container.grantRole(SubscriptionScene.role, to: person.account)
                } else {
                    try scene.store.container.revokeRole(SubscriptionScene.role, from: person.account)
                }
            case 17:
                person.isSuspended.toggle()
                if person.isSuspended { try person.account.suspend() } else { try person.account.resume() }
            case 18:
                _ = try person.account.erase()
                people.remove(at: chosen)
                saved.removeAll { $0.creator == person.session.recordID }
                if (try? person.session.notifications()) != nil { wrong += 1 }
                try invite()
            default: if step % 10 == 0 { _ = try scene.store.service.rotateKeys() }
            }
            // Sometimes changes pile up first.
            guard step % 3 == 0 else { continue }
            if step % 2 == 0 { scene.makeNotifications() }
            for person in people {
                guard !person.isSuspended else {
                    if (try? person.session.notifications()) != nil { wrong += 1 }
                    continue
                }
                let page = try person.session.notifications(limit: 400)
                for one in page {
                    count += 1
                    if !isAllowed(one, for: person, creators) { wrong += 1 }
                }
                if step % 4 == 0, let last = page.last { try person.session.acknowledge(last) }
            }
        }
        guard count > steps / 2 else { throw ExperimentFailure("only \(count) notifications were received") }
        let isSound = try scene.store.service.check().isSound
        return Finding(
            "people lose and get rights between \(steps.grouped) changes of others, and receive the notifications of all subscriptions",
            "\(wrong) of \(count.grouped) notifications tell what a fetch would not"
                + (isSound ? "" : ", the store is not sound"),
            isHeld: wrong == 0 && isSound
        )
    }

    private func isAllowed(
        _ one: SubscriptionNotification,
        for person: Person,
        _ creators: [String: UserRecordID?]
    ) -> Bool {
        switch one.kind {
        case .dropped: return true
        case .database: return one.scope == .private && one.subscriptionID == "all"
        case .recordZone: return false
        case .query:
            guard let id = one.recordID, one.scope == .public else { return false }
            guard one.reason == .recordDeleted else {
                guard let record = try? person.session.publicDatabase.fetch(id) else { return false }
                return one.fields.allSatisfy { record[$0.key] == $0.value }
            }
            guard one.fields.isEmpty else { return false }
            switch one.recordType {
            case "Note": return true
            case "Draft": return person.isEditor
            default: return creators[id.name] == person.session.recordID
            }
        }
    }
}
