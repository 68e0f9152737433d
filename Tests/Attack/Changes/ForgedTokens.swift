import Kinfolk
import KinfolkStorage
import TestSupport

/// The user tries tokens that Kinfolk did not make: changed in each bit, cut, extended, joined from two, made of other sealed values.
struct ForgedTokens {
    private let scene: ChangeScene

    init() throws { scene = try ChangeScene() }

    func findings() throws -> [Finding] {
        let (zone, database) = (scene.ofZone, scene.ofDatabase)
        guard answers(to: zone)[0] == .page(4), answers(to: database)[1] == .page(3) else {
            throw ExperimentFailure("the tokens themselves lead to no changes")
        }
        let later = try scene.database.changes(inZone: ChangeScene.zone).token
        var tokens: [[UInt8]] = []
        for token in [zone.bytes, database.bytes] {
            for bit in 0..<token.count * 8 {
                var forged = token
                forged[bit / 8] ^= 1 << (bit % 8)
                tokens.append(forged)
            }
            for length in 1..<token.count { tokens += [Array(token.prefix(length)), Array(token.suffix(length))] }
            for position in token.indices { tokens.append(Array(token[..<position] + token[(position + 1)...])) }
            tokens += (1...8).map { token + [UInt8](repeating: 0, count: $0) }
            tokens += [[0] + token, token + token].filter { $0.count <= ServerChangeToken.maximumLength }
        }
        // Two valid tokens of the same user, joined at each byte.
        for (left, right) in [(zone, database), (database, zone), (zone, later), (later, zone)] {
            for cut in 1..<min(left.bytes.count, right.bytes.count) {
                tokens.append(Array(left.bytes[..<cut] + right.bytes[cut...]))
            }
        }
        // The beginning is the same in all tokens.
        tokens.removeAll { [zone.bytes, database.bytes, later.bytes].contains($0) }
        tokens += try otherValues() + randomValues(zone.bytes)
        var (accepted, others) = (0, 0)
        for bytes in tokens {
            for answer in try answers(to: ServerChangeToken(bytes: bytes)) {
                if answer.isAccepted { accepted += 1 } else if answer != .expired { others += 1 }
            }
        }
        return [
            Finding(
                "\(tokens.count.grouped) forged tokens: each bit changed, cut at each byte, extended, two valid ones joined, sync states, "
                    + "values sealed in the store, random bytes; each for the zone and for the database",
                "\(accepted) of \((2 * tokens.count).grouped) were accepted, \(others) had another error than an old token",
                isHeld: accepted == 0 && others == 0 && tokens.count > 2_000
            )
        ]
    }

    private func answers(to token: ServerChangeToken) -> [TokenAnswer] {
        [ChangeScene.zone, nil].map { TokenAnswer(of: scene.database, inZone: $0, since: token) }
    }

    /// Values that are sealed with the same keys or in the same format: sync states, and what an administrator of the store copies.
    private func otherValues() throws -> [[UInt8]] {
        let store = scene.scene.store
        var book = ContactBook()
        try book.add(email: "somebody@example.org")
        let state = try scene.scene.owner.discover(book).syncState
        let queries: [StaticString] = [
            "SELECT sealed_zone FROM zones", "SELECT sealed_name FROM removed_zones",
            "SELECT sealed_id FROM tombstones",
            "SELECT sealed_fields FROM records",
        ]
        let stored = try store.service.read { db in try queries.flatMap { sql in try db.all(sql) { $0.bytes(0) } } }
        guard !state.isEmpty, stored.count > 10 else { throw ExperimentFailure("there are no other values") }
        return ([state] + stored).filter { (1...ServerChangeToken.maximumLength).contains($0.count) }
    }

    /// Random bytes of the same length, with and without the beginning of a valid token, which names the key.
    private func randomValues(_ token: [UInt8]) -> [[UInt8]] {
        var generator = SeededGenerator(seed: 17)
        return (0..<400).map { round in
            token.indices.map { index in
                round.isMultiple(of: 2) && index < 16 ? token[index] : UInt8.random(in: 0...255, using: &generator)
            }
        }
    }
}
