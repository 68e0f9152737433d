import Kinfolk

/// Work in a process of its own, of which the memory is measured. It prints bytes.
enum Child {
    static func run(_ arguments: [String]) throws {
        switch (arguments.first, arguments.count) {
        case ("vcard", 2): try readCards(arguments[1])
        case ("store", 4): try searchDirectory(arguments[1], count: arguments[2], books: arguments[3])
        default: throw Failure(Options.usage)
        }
    }

    /// The most memory that reading a file of cards took.
    private static func readCards(_ path: String) throws {
        var book = ContactBook()
        _ = try book.add(contentsOfFile: path)
        guard !book.isEmpty else { throw Failure("Cards were lost.") }
        print(Memory.peak)
    }

    /// The memory of an open store after many people have matched their books.
    private static func searchDirectory(_ folder: String, count: String, books: String) throws {
        guard let count = Int(count), let books = Int(books) else { throw Failure(Options.usage) }
        let store = PeopleStore(in: Folder(existing: folder), count: count)
        let session = try store.session(of: .plain)
        for number in 0..<books {
            var book = ContactBook()
            _ = try book.addText(BookText.make(number, of: count))
            guard try session.discover(book).identities.count == BookText.present else {
                throw Failure("The wrong people were found.")
            }
        }
        print(Memory.resident)
    }

    /// What a child with these arguments prints.
    static func bytes(_ arguments: String...) throws -> Double {
        try Command.number(from: [CommandLine.arguments[0], "--child"] + arguments)
    }
}
