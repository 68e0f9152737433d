import Kinfolk
import TestSupport

/// Valid tokens, used where they were not made for: by other users, in other zones, environments, containers and stores, and in zones
/// that were deleted and made again.
struct MovedTokens {
    private let rounds: Int

    init(rounds: Int) { self.rounds = rounds }

    func findings() throws -> [Finding] { try [elsewhere(), others(), madeAgain()] }

    /// The user's tokens in all other places of the user, and in other stores with the same key.
    private func elsewhere() throws -> Finding {
        let changes = try ChangeScene()
        let (store, account) = (changes.scene.store, changes.scene.account)
        let chess = try store.service.createContainer("com.example.chess")
        let development = try store.service.container(AttackedStore.containerName, environment: .development)
        for container in [chess, development] { try RecordScene.declareFields(in: container) }
        var databases = try [chess, development].map { try $0.session(for: account).privateDatabase }
        for database in databases { try ChangeScene.change(database) }
        databases += try [restored(store), copied(store)].map { service in
            try service.container(AttackedStore.containerName).session(for: service.account(account.id)).privateDatabase
        }
        // The store of somebody else, in which everything has the same name.
        let other = try ChangeScene()
        defer { withExtendedLifetime(other) {} }
        databases.append(other.database)
        let (accepted, calls, wrong) = try answers(in: databases, to: [changes.ofZone, changes.ofDatabase])
        // In the same database: the zone's token for the database, the database's for zones, and the zone's for another one.
        let swaps = [
            TokenAnswer(of: changes.database, inZone: nil, since: changes.ofZone),
            TokenAnswer(of: changes.database, inZone: ChangeScene.zone, since: changes.ofDatabase),
            TokenAnswer(of: changes.database, inZone: ChangeScene.otherZone, since: changes.ofDatabase),
            TokenAnswer(of: changes.database, inZone: ChangeScene.otherZone, since: changes.ofZone),
        ]
        guard TokenAnswer(of: changes.database, inZone: ChangeScene.zone, since: changes.ofZone).isAccepted else {
            throw ExperimentFailure("the token does not work in its own place")
        }
        let total = accepted + swaps.count(where: \.isAccepted)
        let others = wrong + swaps.count { !$0.isAccepted && $0 != .expired }
        return Finding(
            "a user's own tokens in the other environment, another container, another zone, the database in place of a zone and the "
                + "reverse, a restored backup, a copy of the store, and another store, where the same changes were made",
            "\(total) of \(calls + swaps.count) were accepted, \(others) had another error than an old token",
            isHeld: total == 0 && others == 0
        )
    }

    /// The user's tokens in the hands of others, who have zones with the same names.
    private func others() throws -> Finding {
        let changes = try ChangeScene()
        let store = changes.scene.store
        let elsewhere = try store.reopened()
        let other = try store.account(InventedPerson(2))
        let sessions = try [
            store.container.session(for: other),
            elsewhere.container(AttackedStore.containerName).session(for: elsewhere.account(other.id)),
        ]
        for session in sessions { try ChangeScene.change(session.privateDatabase) }
        let tokens = [changes.ofZone, changes.ofDatabase]
        var (accepted, calls, wrong) = try answers(in: sessions.map(\.privateDatabase), to: tokens)
        // Sessions that may read no private database, among them the user's own, later.
        let anonymous = store.container.anonymousSession()
        try changes.scene.account.suspend()
        let suspended = try answers(in: [anonymous, changes.scene.owner].map(\.privateDatabase), to: tokens)
        try changes.scene.account.resume()
        guard TokenAnswer(of: changes.database, inZone: nil, since: changes.ofDatabase).isAccepted else {
            throw ExperimentFailure("the token does not work after the suspension")
        }
        _ = try changes.scene.account.erase()
        let erased = try answers(in: [changes.database], to: tokens)
        for more in [suspended, erased] { (accepted, calls) = (accepted + more.accepted, calls + more.calls) }
        // Without an account in good standing, a token makes no difference.
        wrong += suspended.calls + erased.calls - suspended.wrong - erased.wrong
        return Finding(
            "the tokens of a user, used by another user with zones of the same names (also in another process), anonymously, and by the "
                + "user after a suspension and an erasure",
            "\(accepted) of \(calls) were accepted, \(wrong) had an unexpected error",
            isHeld: accepted == 0 && wrong == 0
        )
    }

    /// A zone that is deleted and made again, with the same records, many times.
    private func madeAgain() throws -> Finding {
        let changes = try ChangeScene()
        var tokens = [changes.ofZone]
        var (accepted, calls) = (0, 0)
        for _ in 0..<rounds {
            try changes.database.deleteZone(ChangeScene.zone)
            try ChangeScene.change(changes.database)
            for token in tokens {
                calls += 1
                if TokenAnswer(of: changes.database, inZone: ChangeScene.zone, since: token) != .expired {
                    accepted += 1
                }
            }
            tokens.append(try changes.database.changes(inZone: ChangeScene.zone).token)
            tokens = tokens.suffix(20)
        }
        return Finding(
            "a zone that was deleted and made again \(rounds) times, with the same records, and the tokens of its predecessors",
            "\(accepted) of \(calls.grouped) were accepted",
            isHeld: accepted == 0
        )
    }

    /// How many of these tokens are accepted, and how many have an error other than that of an old token.
    private func answers(
        in databases: [Database],
        to tokens: [ServerChangeToken]
    ) throws -> (accepted: Int, calls: Int, wrong: Int) {
        let answers = databases.flatMap { database in
            tokens.flatMap { token in
                [ChangeScene.zone, nil].map { TokenAnswer(of: database, inZone: $0, since: token) }
            }
        }
        return (
            answers.count(where: \.isAccepted), answers.count, answers.count { !$0.isAccepted && $0 != .expired }
        )
    }

    private func restored(_ store: AttackedStore) throws -> Service {
        let key = KeySource.file(store.folder.file("kinfolk.key"))
        try store.service.backUp(to: store.folder.file("backup.db"))
        try Service.restore(store.folder.file("restored.db"), from: store.folder.file("backup.db"), key: key)
        return try Service.open(store.folder.file("restored.db"), key: key)
    }

    private func copied(_ store: AttackedStore) throws -> Service {
        try store.service.copy(to: store.folder.file("copied.db"))
        return try Service.open(store.folder.file("copied.db"), key: .file(store.folder.file("kinfolk.key")))
    }
}
