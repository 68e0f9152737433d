import Floors
import Kinfolk

/// A private directory of a million people, and the account that searches it.
final class PrivateDirectory {
    static let size = 1_000_000

    let store: PeopleStore
    let session: Session
    let floor: PrivateFloor

    convenience init(_ setting: Setting) throws {
        try self.init(PeopleStore.readyForPrivateDiscovery(PrivateDirectory.size, in: setting.stores))
    }

    init(_ store: PeopleStore) throws {
        self.store = store
        session = try store.session(of: .plain)
        floor = PrivateFloor(store.path, store.key, cacheKiB: Configuration.plain.cacheKiB)
    }

    /// A discovery that is at its first request of a kind.
    func conversation(
        _ book: Int,
        at kind: PrivateMessage.Kind,
        publicKeys: [[UInt8]] = []
    ) throws -> PrivateConversation {
        var conversation = try PrivateConversation(book, session, publicKeys: publicKeys)
        try conversation.proceed(to: kind)
        return conversation
    }

    /// The contact hashes of a book, padded with random ones to the size of a batch.
    static func hashes(of book: Int, count: Int) throws -> [UInt8] {
        var hashes: [UInt8] = []
        for line in BookText.make(book, of: size).split(separator: "\n").map(String.init) {
            hashes += PrivateFloor.bytes(Int(FLOOR_HASH)) { _ = floor_contact_hash(line, line.utf8.count, $0) }
        }
        while hashes.count < Int(FLOOR_HASH) * count { hashes.append(UInt8.random(in: .min ... .max)) }
        return hashes
    }

    /// Ends the run unless the product and the floor find the same people.
    func verify(_ conversation: PrivateConversation, _ book: Int) throws {
        let hashes = try PrivateDirectory.hashes(of: book, count: 0)
        let length = Int(FLOOR_HASH)
        let found = (0..<hashes.count / length).compactMap {
            floor.find(Array(hashes[$0 * length..<($0 + 1) * length]))
        }
        guard found.count == BookText.present, conversation.client.matches.map({ "\($0.userRecordID)" }) == found else {
            throw Failure("The product and the floor find different people privately.")
        }
    }
}
