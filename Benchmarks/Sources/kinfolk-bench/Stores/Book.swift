import Floors
import Kinfolk

/// A contact book and the sync state of its last discovery. The product and the floor search it.
struct Book: Sendable {
    let text: String
    let syncState: [UInt8]

    /// - Parameter session: Searches the book for the first time.
    init(_ text: String, _ session: Session) throws {
        self.text = text
        syncState = try Book.discover(text, session, []).syncState
    }

    /// Reads the book from its text, and finds its people.
    static func discover(_ text: String, _ session: Session, _ syncState: [UInt8]) throws -> Discovery {
        var book = ContactBook()
        _ = try book.add(text, as: .list)
        let discovery = try session.discover(book, syncState: syncState)
        guard discovery.identities.count == BookText.present else { throw Failure("The wrong people were found.") }
        return discovery
    }

    func discoverAgain(_ session: Session) throws { _ = try Book.discover(text, session, syncState) }

    func discoverFirst(_ session: Session) throws { _ = try Book.discover(text, session, []) }

    /// `floor_match`, or `floor_server_match` on a server.
    typealias Match =
        @Sendable (
            OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, Int,
            UnsafeMutablePointer<floor_identity>?, Int
        ) -> Int

    /// The people that the floor finds.
    @discardableResult
    func match(
        _ floor: OpaquePointer,
        of account: [UInt8],
        isFirst: Bool = false,
        by match: Match = floor_match
    ) throws -> [floor_identity] {
        var text = text
        let found = [floor_identity](unsafeUninitializedCapacity: BookText.contacts) { found, count in
            count = text.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) { text in
                    match(
                        floor,
                        text.baseAddress,
                        text.count,
                        account,
                        isFirst ? nil : syncState,
                        syncState.count,
                        found.baseAddress,
                        found.count
                    )
                }
            }
        }
        guard found.count == BookText.present else { throw Failure("The floor found the wrong people.") }
        return found
    }

    /// Ends the run unless the product and the floor find the same people, with the same names, for the same contacts.
    func verify(
        _ session: Session,
        _ floor: OpaquePointer,
        of account: [UInt8],
        by match: Match = floor_match
    ) throws {
        let product = try Book.discover(text, session, syncState).identities.map { identity in
            let contacts = identity.contacts.map { String($0.index) }.joined()
            return "\(identity.userRecordID) \(identity.name.givenName)\(identity.name.familyName) \(contacts)"
        }
        let found = try self.match(floor, of: account, by: match).map { "\($0.recordID) \($0.fullName) \($0.contact)" }
        guard product == found else { throw Failure("The product and the floor find different people.") }
    }
}
