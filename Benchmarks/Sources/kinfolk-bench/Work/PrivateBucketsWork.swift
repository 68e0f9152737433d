import Floors
import Kinfolk

/// What 1,000 contacts cost in a private directory of a million people, with the prefixes that suit it: the search for their
/// buckets, and bytes.
enum PrivateBucketsWork {
    private static let bookCount = 8
    /// More than any answer has here.
    private static let room = 1 << 22

    static func measure(_ setting: Setting) throws -> [Section] {
        let directory = try PrivateDirectory(setting)
        return [
            Section(
                title: "Private discovery, 1,000 contacts, 1,000,000 people",
                rows: [
                    Row("server, buckets", try search(directory, setting), in: .milliseconds, goal: .ratioAtMost(1.3))
                ]
                    + (try bytes(directory, setting))
            )
        ]
    }

    private static func search(_ directory: PrivateDirectory, _ setting: Setting) throws -> Pair {
        let requests = try (0..<bookCount).map { book in
            var conversation = try directory.conversation(book, at: .buckets)
            return try conversation.request()
        }
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
                throw Failure("The floor fetches other rows.")
            }
        }
        return try Pair(.processor, runs: setting.isQuick ? 48 : 160) { run in
            _ = try directory.session.answer(requests[run % bookCount].bytes)
        } floor: { run in
            _ = fetch(run % bookCount)
        }
    }

    /// Both ways, headers and what the directory is like included. People change in a copy of the store.
    private static func bytes(_ directory: PrivateDirectory, _ setting: Setting) throws -> [Row] {
        let copy = PeopleStore(in: setting.scratch, count: PrivateDirectory.size)
        directory.store.copy(to: copy)
        defer { copy.remove() }
        let directory = try PrivateDirectory(copy)
        var first = try PrivateConversation(0, directory.session)
        try first.finish()
        try directory.verify(first, 0)
        var second = try PrivateConversation(0, directory.session, state: first.client.state)
        try second.finish()
        guard second.batchBytes == 0 else { throw Failure("A contact was paid for twice.") }
        floor_change_privately(directory.floor.store, directory.floor.epoch, PrivateDirectory.size / 100)
        var third = try PrivateConversation(0, directory.session, state: second.client.state)
        try third.finish()
        return [
            row("bytes of points", first.batchBytes, goal: 100),
            row("bytes of buckets, first time", first.bucketBytes, goal: 1_536),
            row("bytes, nothing changed", second.allBytes, goal: 8),
            row("bytes, 1 % of people changed", third.allBytes, goal: 420),
        ]
    }

    private static func row(_ name: String, _ bytes: Int, goal: Double) -> Row {
        Row(name: name, value: Double(bytes) / 1_024, unit: .kibibytes, goal: .atMost(goal))
    }
}
