import Foundation
import Kinfolk

/// What must be found in a store that an earlier version made, however often it is migrated. All people are invented.
struct OlderStoreContent: Codable {
    /// How the store's key is provided: exactly one is set.
    struct Key: Codable {
        var passphrase: String?
        /// The files of the key's folder, by name. The key file is `kinfolk.key`.
        var files: [String: Data] = [:]
    }

    /// A search by one person, and who is found.
    struct Search: Codable {
        let container: String
        let searcher: String
        let address: String
        /// The name of the person who is found.
        let found: String?
    }

    /// A code that was issued and is still valid.
    struct Code: Codable {
        let person: String
        let address: String
        let code: String
    }

    /// What clients keep of Ada's searches in `com.example.notes`.
    struct ClientStates: Codable {
        /// The contacts that are paid for.
        let addresses: [String]
        let hashed: Data
        let isPrivate: Data
    }

    /// The time at which the store was made, in microseconds.
    var moment: Int64
    var key: Key
    /// The account of each person, by given name.
    var accounts: [String: String]
    var searches: [Search]
    var codes: [Code]
    var clientStates: ClientStates
    var observation: OlderStoreObservation

    init(from file: URL) throws {
        self = try JSONDecoder().decode(OlderStoreContent.self, from: Data(contentsOf: file))
    }

    init(
        _ roster: OlderStoreMaker.Roster,
        at moment: Timestamp,
        key: Key,
        _ observation: OlderStoreObservation
    ) {
        self.moment = moment.microseconds
        self.key = key
        accounts = roster.accounts
        searches = roster.searches
        codes = roster.codes
        clientStates = roster.clientStates
        self.observation = observation
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: file)
    }
}
