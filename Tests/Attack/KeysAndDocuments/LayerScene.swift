import Kinfolk
import TestSupport

/// A user with keys and documents, whose names and contents all have a word that is nowhere else.
struct LayerScene {
    static let word = "quietword"

    let store: AttackedStore
    let account: Account
    let phone: Session
    let keys: KeyValueStore
    /// The keys and the paths, with what is under them.
    private(set) var values: [String: PropertyListValue] = [:]
    private(set) var contents: [String: [UInt8]] = [:]

    init(count: Int) throws {
        store = try AttackedStore()
        account = try store.account(InventedPerson(1))
        phone = try store.container.session(for: account, device: "\(LayerScene.word) phone")
        keys = phone.keyValueStore()
        for number in 0..<count {
            let key = "\(LayerScene.word) key \(number)"
            values[key] = ["name": .string("\(LayerScene.word) value \(number)")]
            try keys.set(values[key] ?? "", forKey: key)
            let path = "\(LayerScene.word) folder/\(LayerScene.word) file \(number)"
            contents[path] = Array("\(LayerScene.word) contents \(number)".utf8)
            _ = try phone.documents.create(path, contents: contents[path] ?? [])
        }
    }

    /// The user's session in the same store, opened again.
    func elsewhere() throws -> Session {
        let service = try store.reopened()
        return try service.container(AttackedStore.containerName).session(for: service.account(account.id))
    }
}
