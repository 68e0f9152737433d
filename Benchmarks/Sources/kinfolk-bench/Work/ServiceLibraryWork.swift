import Glibc
import Kinfolk

/// The library calls with which the network service is compared. They run in a process that answers each line of numbers with a number.
enum ServiceLibraryWork {
    /// Books of contact hashes, with valid sync states. A line has the number of a book; the answer is the seconds that its discovery took.
    static func discover(_ path: String, people: Int) throws {
        let session = try PeopleStore(in: Folder(existing: folder(of: path)), count: people).session(of: .standard)
        var books: [Int: (hashes: [ContactHash], state: [UInt8])] = [:]
        while let line = readLine() {
            guard let number = Int(line) else { throw Failure("No number of a book: \(line)") }
            let book =
                try books[number]
                ?? {
                    let hashes = try BookText.make(number, of: people).split(separator: "\n").map {
                        try EmailAddress(String($0)).contactHash
                    }
                    return (hashes, try discover(hashes, [], session))
                }()
            books[number] = book
            answer(try Stopwatch.wall.time { _ = try discover(book.hashes, book.state, session) })
        }
    }

    private static func discover(_ hashes: [ContactHash], _ state: [UInt8], _ session: Session) throws -> [UInt8] {
        var book = ContactBook()
        for hash in hashes { try book.add(hash: hash) }
        let found = try session.discover(book, syncState: state)
        guard found.identities.count == BookText.present else { throw Failure("The wrong people were found.") }
        return found.syncState
    }

    /// New records, durable. A line has a number of callers, the records of a call and the seconds; the answer is the calls in a second.
    static func save(_ path: String) throws {
        let store = RecordStore(folder: Folder(existing: folder(of: path)), count: 0, isPublic: true)
        let database = try store.database()
        while let line = readLine() {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3 else { throw Failure("Not three numbers: \(line)") }
            let end = Stopwatch.wall.now + Double(numbers[2])
            let calls = Calls(numbers[0])
            let seconds = try Threads.time(numbers[0]) { caller in
                while Stopwatch.wall.now < end {
                    let outcomes = try database.run(
                        (0..<numbers[1]).map { _ in .create(try RecordStore.record(0, as: RecordID())) }
                    )
                    for outcome in outcomes { _ = try outcome.get() }
                    calls.add(caller)
                }
            }
            answer(Double(calls.total) / seconds)
        }
    }

    /// The calls of each caller, who counts alone.
    private final class Calls: @unchecked Sendable {
        private let counts: UnsafeMutableBufferPointer<Int>

        init(_ callers: Int) {
            counts = .allocate(capacity: callers)
            counts.initialize(repeating: 0)
        }

        deinit { counts.deallocate() }

        func add(_ caller: Int) { counts[caller] += 1 }

        var total: Int { counts.reduce(0, +) }
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func answer(_ number: Double) {
        print(number)
        fflush(nil)
    }
}
