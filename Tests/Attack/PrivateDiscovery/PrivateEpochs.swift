import Kinfolk
import KinfolkCrypto

/// What a server learns from one book in several epochs and in several applications. It must learn the same bits each time.
struct PrivateEpochs: Experiment {
    let name = "private-epochs"
    let promise = "private epochs"

    private static let (contacts, points, bits) = (600, 1_024, 12)
    private static let people = 0..<400

    func run(_ length: Length) throws -> [Finding] {
        let store = try AttackedStore()
        try store.container.setPermitLimit(AttackedStore.unlimited)
        try store.container.setDirectoryModes(.private)
        try store.container.setPrefixBits(PrivateEpochs.bits)
        try store.importPeople(PrivateEpochs.people) { _ in true }
        let suspects = try Suspects(65_536, of: PrivateEpochs.people, bucketKey: store.service.bucketKey())
        return [
            try fourEpochs(store, suspects),
            try applications(store, suspects, "four applications that share a filler secret", 4, sharing: true),
            try applications(
                store,
                suspects,
                "two applications with separate states: a documented leak",
                2,
                sharing: false
            ),
            try applications(
                store,
                suspects,
                "four applications with separate states: a documented leak",
                4,
                sharing: false
            ),
        ]
    }

    /// The candidates that remain possible for a server that remembers all requests.
    private func possible(_ seen: [Conversation], _ suspects: Suspects) -> Set<Int> {
        seen.dropFirst().reduce(Set(suspects.possible(seen[0]))) { $0.intersection(suspects.possible($1)) }
    }

    private func fourEpochs(_ store: AttackedStore, _ suspects: Suspects) throws -> Finding {
        let book = suspects.contacts(PrivateEpochs.contacts)
        let seeker = try store.session(InventedPerson(Suspects.seekers))
        var state: [UInt8] = []
        var seen: [Conversation] = []
        var counts: [Int] = []
        for number in 0..<4 {
            if number > 0 { _ = try store.container.renewPrivateKey() }
            var client = try LargeDirectory.client(book, state: state)
            seen.append(try Conversation(&client, with: seeker))
            state = client.state
            counts.append(possible(seen, suspects).count)
            guard client.matches.count == book.count(where: PrivateEpochs.people.contains) else {
                throw ExperimentFailure("a book did not find the right number of people")
            }
        }
        return Finding(
            "p = \(PrivateEpochs.bits), a book of \(book.count) in 4 epochs; \(suspects.count.grouped) candidates tested with the "
                + "server's own keys",
            counts.map(\.grouped).joined(separator: ", ") + " stay possible; "
                + "\(Set(seen.map(\.prefixes)).count == 1 ? "the same" : "other") prefixes in all",
            isHeld: Set(counts).count == 1 && Set(seen.map(\.prefixes)).count == 1
                && possible(seen, suspects).isSuperset(of: book) && seen.allSatisfy { $0.bits == PrivateEpochs.bits }
        )
    }

    private func applications(
        _ store: AttackedStore,
        _ suspects: Suspects,
        _ name: String,
        _ count: Int,
        sharing: Bool
    ) throws -> Finding {
        let book = suspects.contacts(PrivateEpochs.contacts)
        let account = try store.service.account(email: EmailAddress(InventedPerson(Suspects.seekers).address))
        let secret = SecureRandom.bytes(32)
        var seen: [Conversation] = []
        var counts: [Int] = []
        for number in 0..<count {
            let container = try container(number, store)
            var client = try LargeDirectory.client(book, in: container.name, fillerSecret: sharing ? secret : nil)
            seen.append(try Conversation(&client, with: container.session(for: account)))
            counts.append(possible(seen, suspects).count)
        }
        let left = possible(seen, suspects)
        return Finding(
            "p = \(PrivateEpochs.bits), the same book in \(name)",
            counts.map(\.grouped).joined(separator: ", ") + " stay possible",
            isHeld: left.isSuperset(of: book)
                && (sharing
                    ? Set(counts).count == 1 && Set(seen.map(\.prefixes)).count == 1 : counts[count - 1] < counts[0])
        )
    }

    /// The container of another application, with an empty directory.
    private func container(_ number: Int, _ store: AttackedStore) throws -> Container {
        let name = "com.example.app\(number)"
        if let known = try? store.service.container(name) { return known }
        let container = try store.service.createContainer(name)
        try container.setPermitLimit(AttackedStore.unlimited)
        try container.setDirectoryModes(.private)
        try container.setPrefixBits(PrivateEpochs.bits)
        return container
    }
}
