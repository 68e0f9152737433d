import KinfolkCore
import KinfolkCrypto
import KinfolkModel

/// The position of a notification: what its ID holds.
struct NotificationPosition {
    /// The history of the store, in which the number has a meaning.
    let history: RandomID
    let number: Int64

    /// The version of the encoding.
    private static let version: UInt8 = 1

    init(history: RandomID, number: Int64) { (self.history, self.number) = (history, number) }

    /// Reads an ID. Nil if it is of another user or container, was changed, or was sealed under a key that leaked.
    init?(_ id: NotificationID, for user: UserRecordID, in container: Int64, _ keys: KeyRing) {
        let place = NotificationPosition.place(for: user, in: container)
        guard let bytes = try? keys.syncStates.open(id.bytes, at: place),
            bytes.count == 1 + RandomID.length + 8, bytes[0] == NotificationPosition.version,
            let history = bytes[1...RandomID.length].withUnsafeBytes({ RandomID(bytes: $0) })
        else { return nil }
        self.history = history
        number = Int64(bitPattern: bytes[(1 + RandomID.length)...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    func id(for user: UserRecordID, in container: Int64, _ keys: KeyRing) throws -> NotificationID {
        var bytes = [NotificationPosition.version] + history.bytes
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        let place = NotificationPosition.place(for: user, in: container)
        return NotificationID(valid: try keys.syncStates.seal(bytes, at: place))
    }

    private static func place(for user: UserRecordID, in container: Int64) -> SealedPlace {
        SealedPlace("notifications", "id", row: .number(container), .bytes(user.value.bytes))
    }
}
