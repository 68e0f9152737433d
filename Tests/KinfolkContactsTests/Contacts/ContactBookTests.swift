import Testing

@testable import Kinfolk

@Suite("Contact book")
struct ContactBookTests {
    @Test func contactsAndDuplicatesKeepTheirOrder() throws {
        var book = ContactBook()
        try book.add(email: "b@example.com", label: "B")
        try book.add(email: "a@example.com")
        try book.add(email: "B@Example.com", label: "B again")
        #expect(book.count == 3)
        #expect(
            try book.entries == [
                .init("b@example.com", "B"), .init("a@example.com"), .init("b@example.com", "B again"),
            ]
        )
    }

    @Test func aPositionThatDoesNotExistHasNoHashAndNoLabel() throws {
        var book = ContactBook()
        #expect(book.isEmpty)
        try book.add(email: "a@example.com", label: "A")
        for index in [-1, 1, Int.min, Int.max] {
            #expect(book.hash(at: index) == nil)
            #expect(book.label(at: index).isEmpty)
        }
    }

    @Test func labelsBelongToTheirContacts() throws {
        var book = ContactBook()
        for index in 0..<100 {
            try book.add(email: "p\(index)@example.com", label: index % 3 == 0 ? "Person \(index / 6)" : "")
        }
        for index in 0..<100 {
            #expect(book.label(at: index) == (index % 3 == 0 ? "Person \(index / 6)" : ""))
        }
    }

    @Test func anInvalidAddressAddsNothing() throws {
        var book = ContactBook()
        let error = #expect(throws: KinfolkError.self) { try book.add(email: "no address", label: "N") }
        #expect(error?.code == .invalidArgument)
        #expect(book.isEmpty)
    }

    @Test func aLabelHas1024BytesAtMost() throws {
        var book = ContactBook()
        let hash = try EmailAddress("a@example.com").contactHash
        try book.add(hash: hash, label: String(repeating: "ü", count: 512))
        let error = #expect(throws: KinfolkError.self) {
            try book.add(hash: hash, label: String(repeating: "ü", count: 512) + "x")
        }
        #expect(error?.code == .limitExceeded)
        #expect(book.count == 1)
        #expect(book.label(at: 0).utf8.count == 1024)
    }

    @Test func aLongLabelOfAFileIsTruncatedBetweenTwoCharacters() throws {
        var book = ContactBook()
        try book.add("a" + String(repeating: "ü", count: 600) + " <a@example.com>", as: .list)
        #expect(book.label(at: 0) == "a" + String(repeating: "ü", count: 511))
    }

    @Test func aMillionContactsFitAndNoMore() throws {
        var book = ContactBook()
        let hash = try EmailAddress("a@example.com").contactHash
        for _ in 0..<ContactBook.maximumCount { try book.add(hash: hash) }
        for attempt in 0..<3 {
            let error = #expect(throws: KinfolkError.self) {
                switch attempt {
                case 0: try book.add(hash: hash, label: "one more")
                case 1: try book.add(email: "a@example.com")
                default: try book.add("a@example.com", as: .list)
                }
            }
            #expect(error?.code == .limitExceeded)
        }
        #expect(book.count == 1_000_000)
        #expect(book.label(at: 999_999).isEmpty)
    }

    @Test func aFailedImportDoesNotChangeTheBook() throws {
        var book = ContactBook()
        let hash = try EmailAddress("a@example.com").contactHash
        for _ in 0..<ContactBook.maximumCount - 2 { try book.add(hash: hash) }
        try book.add(email: "b@example.com", label: "B")
        #expect(throws: KinfolkError.self) { try book.add("One <c@example.com>\nTwo <d@example.com>\n", as: .list) }
        #expect(book.count == ContactBook.maximumCount - 1)
        #expect(book.label(at: book.count - 1) == "B")
        try book.add("Three <e@example.com>", as: .list)
        #expect(book.label(at: book.count - 1) == "Three")
        #expect(book.label(at: book.count - 2) == "B")
    }

    @Test func aCopyIsIndependent() throws {
        var book = ContactBook()
        try book.add(email: "a@example.com", label: "A")
        let copy = book
        try book.add(email: "b@example.com", label: "B")
        #expect(copy.count == 1)
        #expect(book.count == 2)
    }

    @Test func hashesAreBorrowedInOrder() throws {
        var book = ContactBook()
        try book.add("a@example.com\nb@example.com", as: .list)
        let lent = book.withUnsafeHashes(Array.init)
        #expect(lent == [book.hash(at: 0), book.hash(at: 1)])
        #expect(MemoryLayout<ContactHash>.stride == 32)
    }
}
