import Kinfolk
import KinfolkCrypto
import KinfolkStorage

/// A thief who has the key too can read everything. Measures how fast, and shows that the guessing itself works.
struct KeyThief {
    private let populated: PopulatedStore

    init(_ populated: PopulatedStore) { self.populated = populated }

    func findings() throws -> [Finding] { [try guessing(), try reading()] }

    /// Checks that guesses find the addresses, and measures the work of each: the canonical form, two hashes, a table look-up.
    private func guessing() throws -> Finding {
        let service = try Service.open(populated.store.path)
        let known = Set(populated.addresses)
        let verified = try service.read { db in
            try db.first("SELECT count(*) FROM verified_emails") { Int($0.integer(0)) } ?? 0
        }
        let recovered = try known.count { address in
            let email = try EmailAddress(address)
            return (try? service.account(email: email)) != nil
        }
        // With the key every verified address must be found. Otherwise the experiment would show nothing.
        guard recovered == verified, recovered > 0 else {
            throw ExperimentFailure("with the key, guessing recovered \(recovered) of \(verified) addresses")
        }
        let rate = try guessesASecond()
        return Finding(
            "database and key: guessing, on one core",
            "\(recovered.grouped) of \(verified.grouped) recovered; \((rate / 1_000_000).rounded(to: 1)) million guesses "
                + "a second",
            isHeld: true
        )
    }

    /// A tag is the same work under any key. This uses a key and a table of the experiment.
    private func guessesASecond() throws -> Double {
        let tagger = TagKey(try .random())
        func tag(_ address: String, _ tag: (UnsafeRawBufferPointer) -> Tag) throws -> Tag {
            try ContactHash(canonical: CanonicalEmail(address.utf8.span)).withUnsafeBytes(tag)
        }
        return try tagger.withTagger { tagger in
            let tags = Set(try populated.addresses.map { try tag($0, tagger) })
            let guesses = (0..<500_000).map { "somebody.\($0)@example.com" } + populated.addresses
            let computing = ComputingTime()
            var hits = 0
            for guess in guesses where tags.contains(try tag(guess, tagger)) { hits += 1 }
            let seconds = computing.seconds
            guard hits == populated.addresses.count else { throw ExperimentFailure("a right guess was not found") }
            return Double(guesses.count) / seconds
        }
    }

    /// With the key nothing needs to be guessed.
    private func reading() throws -> Finding {
        let service = try Service.open(populated.store.path)
        let computing = ComputingTime()
        var (accounts, addresses) = (0, 0)
        var last: AccountID?
        while case let page = try service.accounts(after: last), let end = page.last {
            for account in page {
                _ = try account.name()
                addresses += try account.emails().count
                accounts += 1
            }
            last = end.id
        }
        return Finding(
            "database and key: reading",
            "\(accounts.grouped) names and \(addresses.grouped) addresses in "
                + "\(computing.seconds.rounded(to: 2)) s: keep the key elsewhere",
            isHeld: true
        )
    }
}
