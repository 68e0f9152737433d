import Kinfolk

/// What a server learns about a contact book if it logs everything, and tests a list of addresses with its own key.
struct PrivateBook: Experiment {
    let name = "private-book"
    let promise = "private book"

    /// The number of contacts in the books, and the number of points to which a request is padded.
    private static let (contacts, points) = (600, 1_024)

    func run(_ length: Length) throws -> [Finding] {
        let directory = try LargeDirectory(length)
        let suspects = try Suspects(length.choose(short: 30_000, long: 1_000_000), directory)
        return [
            try withAllRows(directory, suspects),
            try withDefaultBits(directory, suspects),
            try whichAreFillers(directory, suspects),
        ] + (try TwoSyncs(directory, suspects).findings()) + (try withAServerThatLies(directory, suspects))
    }

    /// With 0 bits a request tells nothing: the server sees the same for every book.
    private func withAllRows(_ directory: LargeDirectory, _ suspects: Suspects) throws -> Finding {
        try directory.store.container.setPrefixBits(0)
        let seeker = try directory.store.session(InventedPerson(Suspects.seekers))
        let books = [
            suspects.contacts(PrivateBook.contacts), suspects.contacts(PrivateBook.contacts, after: 600),
            suspects.contacts(300, after: 1_200),
        ]
        let seen = try books.map { book in
            var client = try LargeDirectory.client(book)
            let seen = try Conversation(&client, with: seeker)
            guard client.matches.count == book.count(where: directory.people.contains) else {
                throw ExperimentFailure("a book did not find the right number of people")
            }
            return seen
        }
        let shapes = Set(seen.map { $0.requests.map(PrivateBook.shape) })
        let points = seen.flatMap(\.points)
        let hasFreshPoints = Set(points).count == points.count
        let possible = seen[0].bits == 0 ? suspects.count : suspects.possible(seen[0]).count
        return Finding(
            "p = 0: \(directory.description); books of 600, 600 others, and 300; \(suspects.count.grouped) candidates "
                + "tested with the server's own key",
            "\(shapes.count == 1 ? "the same" : "different") \(seen[0].requests.count) requests except for random bytes; "
                + "\(possible.grouped) candidates stay possible",
            isHeld: shapes.count == 1 && hasFreshPoints && possible == suspects.count
                && seen.allSatisfy { $0.pointCount == PrivateBook.points }
        )
    }

    /// A request with zeros in place of its random bytes.
    private static func shape(_ request: SeenMessage) -> [UInt8] {
        guard request.kind == .evaluationRequest else { return request.withoutID }
        var copy = SeenMessage(request.withoutID)
        copy.points = [UInt8](repeating: 0, count: copy.points.count)
        return copy.bytes
    }

    private func withDefaultBits(_ directory: LargeDirectory, _ suspects: Suspects) throws -> Finding {
        let (seen, book) = try search(directory, suspects)
        let possible = Set(suspects.possible(seen))
        let counts = suspects.perPrefix(seen)
        let (fewest, most) = (counts.values.min() ?? 0, counts.values.max() ?? 0)
        let mean = Double(counts.values.reduce(0, +)) / Double(max(counts.count, 1))
        // Each stranger falls into one of these buckets by chance.
        let share = Double(seen.prefixes.count) / Double(1 << directory.defaultBits)
        let strangers = Expected(suspects.count - book.count, chance: share)
        let found = book.count(where: possible.contains)
        // The number of buckets into which so many random tags fall.
        let buckets = Expected.boxes(1 << directory.defaultBits, of: PrivateBook.points)
        return Finding(
            "p = \(directory.defaultBits), chosen by the number of rows; a book of \(book.count); "
                + "\(suspects.count.grouped) candidates tested with the server's own key",
            "\(seen.prefixes.count.grouped) prefixes of \(seen.pointCount.grouped) points; \(mean.rounded(to: 1)) candidates "
                + "for each (\(fewest) to \(most)); \(possible.count.grouped) stay possible, \(found) of them contacts",
            isHeld: seen.bits == directory.defaultBits && seen.pointCount == PrivateBook.points
                && buckets.isLikely(seen.prefixes.count) && strangers.isLikely(possible.count - found)
        )
    }

    /// Whether the server can distinguish the buckets of contacts from those of fillers.
    private func whichAreFillers(_ directory: LargeDirectory, _ suspects: Suspects) throws -> Finding {
        let (seen, book) = try search(directory, suspects)
        let ofContacts = Set(suspects.prefixes(of: book, bits: directory.defaultBits))
        let counts = suspects.perPrefix(seen, without: Set(book))
        let buckets = seen.buckets.enumerated()
        func compare(_ value: (Int, UInt64) -> Int) -> Double {
            func values(_ areContacts: Bool) -> [UInt64] {
                buckets.filter { ofContacts.contains($1.prefix) == areContacts }
                    .map { UInt64(value($0, $1.prefix)) }.sorted()
            }
            return AreaUnderCurve.of(values(false), values(true))
        }
        let place = compare { place, _ in place }
        let others = compare { _, prefix in counts[prefix] ?? 0 }
        let contacts = buckets.count { ofContacts.contains($1.prefix) }
        let fillers = seen.prefixes.count - contacts
        // The standard deviation of a rank sum.
        let deviation = (Double(contacts + fillers + 1) / Double(12 * max(contacts * fillers, 1))).squareRoot()
        let wasKnown = buckets.count { $1.isKnown }
        // The chance that one of the prefixes without a contact has at least one of the random points.
        let prefixes = 1 << directory.defaultBits
        let hasFiller = 1 - Double.power(1 - 1 / Double(prefixes), PrivateBook.points - book.count)
        return Finding(
            "guessing which of the \(seen.prefixes.count.grouped) prefixes are of contacts: by their place in the request, "
                + "and by how many other candidates have them",
            "AUC \(place.rounded(to: 3)) and \(others.rounded(to: 3)); \(contacts) are of contacts, \(fillers) only of fillers: "
                + "padding is \((Double(fillers) / Double(seen.prefixes.count) * 100).rounded(to: 0)) % of what is asked",
            isHeld: abs(place - 0.5) < 5 * deviation && abs(others - 0.5) < 5 * deviation && wasKnown == 0
                && contacts == ofContacts.count
                && Expected(prefixes - contacts, chance: hasFiller).isLikely(fillers)
        )
    }

    private func search(_ directory: LargeDirectory, _ suspects: Suspects) throws -> (Conversation, [Int]) {
        try directory.store.container.setPrefixBits(nil)
        let seeker = try directory.store.container.session(
            for: directory.store.service.account(email: EmailAddress(InventedPerson(Suspects.seekers).address))
        )
        let book = suspects.contacts(PrivateBook.contacts)
        var client = try LargeDirectory.client(book)
        let seen = try Conversation(&client, with: seeker)
        guard client.matches.count == book.count(where: directory.people.contains) else {
            throw ExperimentFailure("a book did not find the right number of people")
        }
        return (seen, book)
    }

    /// The server chooses the number of bits, up to the client's own limit.
    private func withAServerThatLies(_ directory: LargeDirectory, _ suspects: Suspects) throws -> [Finding] {
        try directory.store.container.setPrefixBits(32)
        let book = suspects.contacts(PrivateBook.contacts)
        return try [(2, 20, "the client stops at 20"), (3, 32, "not promised, limit 32")].map { place, bits, name in
            let seeker = try directory.store.session(InventedPerson(Suspects.seekers + place))
            var client = try LargeDirectory.client(book)
            if bits != 20 { client.maximumPrefixBits = bits }
            let seen = try Conversation(&client, with: seeker)
            let possible = suspects.possible(seen)
            let found = Set(possible).intersection(book).count
            return Finding(
                "a server, or an operator, that sets p = 32: \(name)",
                "\(possible.count.grouped) of \(suspects.count.grouped) candidates stay possible, \(found) of them the "
                    + "\(book.count) contacts",
                isHeld: seen.bits == bits
            )
        }
    }
}
