import KinfolkCore
import KinfolkCrypto
import KinfolkModel

/// A position in the changes of a zone or of a database: what a server change token holds.
struct ChangePosition: Equatable {
    /// The history of the store, in which the numbers have a meaning.
    let history: RandomID
    /// The number of the zone; nil for a position in the changes of a database.
    let zone: Int64?
    /// The last change that the reader has seen.
    var change: Int64
    /// The last change when the reader began without a token. The reader needs no deletions up to this one.
    let begin: Int64

    /// The version of the encoding.
    private static let version: UInt8 = 1

    init(history: RandomID, zone: Int64?, change: Int64, begin: Int64) {
        self.history = history
        self.zone = zone
        self.change = change
        self.begin = begin
    }

    /// Reads a token. Nil if it is of another user, container or store, was changed, or was sealed under a key that leaked.
    init?(_ token: ServerChangeToken, of place: RecordPlace, _ keys: KeyRing) {
        guard let bytes = try? keys.syncStates.open(token.bytes, at: ChangePosition.place(of: place)),
            bytes.count == 2 + RandomID.length + 24, bytes[0] == ChangePosition.version
        else { return nil }
        let history = bytes[2..<2 + RandomID.length].withUnsafeBytes(RandomID.init(bytes:))
        let numbers = stride(from: 2 + RandomID.length, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        guard let history else { return nil }
        self.history = history
        zone = bytes[1] == 1 ? Int64(bitPattern: numbers[0]) : nil
        change = Int64(bitPattern: numbers[1])
        begin = Int64(bitPattern: numbers[2])
    }

    func token(of place: RecordPlace, _ keys: KeyRing) throws -> ServerChangeToken {
        var bytes: [UInt8] = [ChangePosition.version, zone == nil ? 0 : 1]
        bytes.append(contentsOf: history.bytes)
        for number in [zone ?? 0, change, begin] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return ServerChangeToken(valid: try keys.syncStates.seal(bytes, at: ChangePosition.place(of: place)))
    }

    /// The container stands for the environment too.
    private static func place(of place: RecordPlace) -> SealedPlace {
        SealedPlace("changes", "token", row: .number(place.container), .bytes(place.owner))
    }
}
