import Kinfolk

/// Work in a separate process, whose memory is measured. The process prints a number of bytes.
enum Child {
    static func run(_ arguments: [String]) throws {
        switch (arguments.first, arguments.count) {
        case ("vcard", 2): try readCards(arguments[1])
        case ("store", 5):
            guard let count = Int(arguments[2]), let books = Int(arguments[3]) else { throw Failure(Options.usage) }
            try search(PeopleStore(in: Folder(existing: arguments[1]), count: count), books, .named(arguments[4]))
        case ("asset", 2): print(try AssetWork.memory(in: Folder(existing: arguments[1])))
        case ("receive", 6):
            guard let count = Int(arguments[3]), let sessions = Int(arguments[4]) else { throw Failure(Options.usage) }
            try SubscribedStore(address: arguments[1], key: arguments[2])
                .receive(count, with: sessions, notingStartIn: arguments[5])
        case ("write-zone", 6):
            guard let user = Int(arguments[3]) else { throw Failure(Options.usage) }
            try OneZoneStore(address: arguments[1], key: arguments[2])
                .write(asUser: user, notingStartIn: arguments[4], until: arguments[5])
        case ("service-discover", 3):
            guard let count = Int(arguments[2]) else { throw Failure(Options.usage) }
            try ServiceLibraryWork.discover(arguments[1], people: count)
        case ("service-save", 3): try ServiceLibraryWork.save(arguments[1])
        default: throw Failure(Options.usage)
        }
    }

    /// The peak memory of reading a vCard file.
    private static func readCards(_ path: String) throws {
        var book = ContactBook()
        _ = try book.add(contentsOfFile: path)
        guard !book.isEmpty else { throw Failure("Cards were lost.") }
        print(Memory.peak)
    }

    /// The memory of an open store after many people have matched their books.
    private static func search(_ store: PeopleStore, _ books: Int, _ configuration: Configuration) throws {
        let session = try store.session(of: configuration)
        for number in 0..<books {
            _ = try Book.discover(BookText.make(number, of: store.count), session, [])
        }
        print(Memory.resident)
    }

    /// The output of a child with these arguments.
    static func bytes(_ arguments: String...) throws -> Double {
        try Command.number(from: [CommandLine.arguments[0], "--child"] + arguments)
    }
}
