import Floors
import Kinfolk

/// The cost of 1,000 contacts in a private directory of a million people, with the default number of bits: the time of the
/// search for their buckets, and the transferred bytes.
enum PrivateBucketsWork {
    /// Larger than any answer here.
    private static let room = 1 << 22

    static func measure(_ setting: Setting) throws -> [Section] {
        let directory = try PrivateDirectory(setting)
        var conversations = try (0..<(setting.isQuick ? 8 : 16)).map { try directory.conversation($0, at: .buckets) }
        let requests = try conversations.indices.map { try conversations[$0].request() }
        let search = try search(requests, directory, setting)
        return [
            Section(
                title: "Private discovery, 1,000 contacts, 1,000,000 people",
                rows: [Row("server, buckets", search, in: .milliseconds, goal: .ratioAtMost(1.3))]
                    + (try bytes(&conversations, directory, setting))
            )
        ]
    }

    private static func search(
        _ requests: [PrivateMessage],
        _ directory: PrivateDirectory,
        _ setting: Setting
    ) throws -> Pair {
        let prefixes = requests.map(\.prefixes)
        let floor = directory.floor
        var rows = [UInt8](repeating: 0, count: room)
        func fetch(_ book: Int) -> Int {
            let request = requests[book]
            return floor_fetch_buckets(
                floor.store,
                floor.epoch,
                Int32(request.prefixBits),
                prefixes[book],
                request.prefixStride,
                request.count,
                &rows,
                rows.count
            )
        }
        for (book, request) in requests.enumerated() {
            let length = fetch(book)
            guard PrivateMessage(try directory.session.answer(request.bytes)).rows == Array(rows.prefix(length)) else {
                throw Failure("The floor fetched other rows.")
            }
        }
        return try Pair(.processor, runs: setting.isQuick ? 16 : 160) { run in
            _ = try directory.session.answer(requests[run % requests.count].bytes)
        } floor: { run in
            _ = fetch(run % requests.count)
        }
    }

    /// Bytes in both directions, including headers and descriptions of the directory: the mean of the books. People are changed in a
    /// copy of the store.
    private static func bytes(
        _ conversations: inout [PrivateConversation],
        _ directory: PrivateDirectory,
        _ setting: Setting
    ) throws -> [Row] {
        let copy = PeopleStore(in: setting.scratch, count: PrivateDirectory.size)
        directory.store.copy(to: copy)
        defer { copy.remove() }
        let changed = try PrivateDirectory(copy)
        floor_change_privately(changed.floor.store, changed.floor.epoch, PrivateDirectory.size / 100)

        var (again, later): ([PrivateConversation], [PrivateConversation]) = ([], [])
        for book in conversations.indices {
            try conversations[book].finish()
            if book == 0 { try directory.verify(conversations[book], book) }
            let state = conversations[book].client.state
            again.append(try PrivateConversation(book, directory.session, state: state))
            later.append(try PrivateConversation(book, changed.session, state: state))
            try again[book].finish()
            try later[book].finish()
            guard again[book].batchBytes == 0 else { throw Failure("A contact was paid for twice.") }
        }
        return [
            row("bytes of points", conversations.map(\.batchBytes), goal: 100),
            row("bytes of buckets, first time", conversations.map(\.bucketBytes), goal: 1_536),
            row("bytes, nothing changed", again.map(\.allBytes), goal: 8),
            row("bytes, 1 % of people changed", later.map(\.allBytes), goal: 420),
        ]
    }

    private static func row(_ name: String, _ bytes: [Int], goal: Double) -> Row {
        let mean = Double(bytes.reduce(0, +)) / Double(bytes.count)
        return Row(name: name, value: mean / 1_024, unit: .kibibytes, goal: .atMost(goal))
    }
}
