import Kinfolk

/// What a server learns if it compares two discoveries of one person.
struct TwoSyncs {
    private let directory: LargeDirectory
    private let suspects: Suspects
    private static let contacts = 600

    init(_ directory: LargeDirectory, _ suspects: Suspects) {
        self.directory = directory
        self.suspects = suspects
    }

    func findings() throws -> [Finding] {
        [
            try withState(bits: 0), try withState(bits: nil), try withChanges(),
            try withoutState(bits: 0), try withoutState(bits: nil),
        ]
    }

    private func seeker(_ bits: Int?) throws -> Session {
        try directory.store.container.setPrefixBits(bits)
        return try directory.store.container.session(
            for: directory.store.service.account(email: EmailAddress(InventedPerson(Suspects.seekers).address))
        )
    }

    private func name(_ bits: Int?) -> String { "p = \(bits ?? directory.defaultBits)" }

    private func withState(bits: Int?) throws -> Finding {
        let seeker = try seeker(bits)
        let book = suspects.contacts(TwoSyncs.contacts)
        var client = try LargeDirectory.client(book)
        let first = try Conversation(&client, with: seeker)
        let permits = try seeker.permitsLeft()
        var again = try LargeDirectory.client(book, state: client.state)
        let second = try Conversation(&again, with: seeker)
        let spent = try permits - seeker.permitsLeft()
        return Finding(
            "\(name(bits)): the same book again, with its state",
            "\(second.prefixes == first.prefixes ? "the same" : "different") buckets "
                + "(\(second.prefixes.count.grouped)), \(second.pointCount) points, \(Int(spent)) permits; "
                + "\(second.sentBuckets) buckets sent, \(second.bytes.received.grouped) bytes against \(first.bytes.received.grouped)",
            isHeld: second.prefixes == first.prefixes && second.pointCount == 0 && spent == 0 && second.sentBuckets == 0
                && again.matches == client.matches && second.buckets.allSatisfy(\.isKnown)
        )
    }

    /// Contacts are removed and added.
    private func withChanges() throws -> Finding {
        let seeker = try seeker(nil)
        let book = suspects.contacts(TwoSyncs.contacts)
        var client = try LargeDirectory.client(book)
        let first = try Conversation(&client, with: seeker).prefixes
        var less = try LargeDirectory.client(book.dropLast(100), state: client.state)
        let second = try Conversation(&less, with: seeker)
        let new = suspects.contacts(3, after: 5_000)
        var more = try LargeDirectory.client(book.dropLast(100) + new, state: less.state)
        let third = try Conversation(&more, with: seeker)
        let added = third.prefixes.subtracting(first).count
        return Finding(
            "\(name(nil)): 100 contacts fewer, and then 3 more, with the state",
            "\(second.prefixes == first ? "the same buckets" : "different buckets"); then \(third.pointCount) points and "
                + "\(added) buckets more, none fewer",
            isHeld: second.prefixes == first && second.pointCount == 0 && third.pointCount == 64
                && third.prefixes.isSuperset(of: first)
                && Expected(64, chance: 1 - Double(first.count) / Double(1 << directory.defaultBits)).isLikely(added)
        )
    }

    /// A documented leak: a client that deletes its state chooses different fillers.
    private func withoutState(bits: Int?) throws -> Finding {
        let seeker = try seeker(bits)
        let book = suspects.contacts(TwoSyncs.contacts)
        var (one, two) = (try LargeDirectory.client(book), try LargeDirectory.client(book))
        let (first, second) = (try Conversation(&one, with: seeker), try Conversation(&two, with: seeker))
        let stayed = first.prefixes.intersection(second.prefixes)
        let ofContacts = Set(suspects.prefixes(of: book, bits: bits ?? directory.defaultBits))
        let repeated = Set(first.points).intersection(second.points).count
        guard bits != 0 else {
            return Finding(
                "\(name(bits)): the same without the state",
                "the same bucket, \(repeated) points seen before",
                isHeld: stayed.count == 1 && repeated == 0
            )
        }
        let possible = suspects.perPrefix(first).filter { stayed.contains($0.key) }.values.reduce(0, +)
        return Finding(
            "\(name(bits)): the same without the state: a documented leak",
            "\(stayed.count) of \(first.prefixes.count.grouped) buckets stay, \(stayed.intersection(ofContacts).count) of them "
                + "those of the \(book.count) contacts; \(possible.grouped) candidates stay possible; \(repeated) points "
                + "seen before",
            isHeld: repeated == 0 && stayed.isSuperset(of: ofContacts)
        )
    }
}
