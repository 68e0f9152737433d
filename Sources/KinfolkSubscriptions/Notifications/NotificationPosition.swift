import KinfolkCore
import KinfolkCrypto
import KinfolkModel

/// The position of a notification: what its ID holds.
struct NotificationPosition {
    /// The history of the store, in which the number has a meaning.
    let history: RandomID
    let number: Int64
    /// The random number of the notification; 0 if some were dropped up to this number.
    let stamp: Int64

    /// The version of the encoding.
    private static let version: UInt8 = 1

    init(history: RandomID, number: Int64, stamp: Int64) {
        (self.history, self.number, self.stamp) = (history, number, stamp)
    }

    /// Reads an ID. Nil if it is of another user or container, was changed, or was sealed under a key that leaked.
    init?(_ id: NotificationID, for user: UserRecordID, in container: Int64, _ keys: KeyRing) {
        let place = NotificationPosition.place(for: user, in: container)
        guard let bytes = try? keys.syncStates.open(id.bytes, at: place),
            bytes.count == 1 + RandomID.length + 16, bytes[0] == NotificationPosition.version,
            let history = bytes[1...RandomID.length].withUnsafeBytes({ RandomID(bytes: $0) })
        else { return nil }
        self.history = history
        func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
            Int64(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        number = integer(bytes.suffix(16).prefix(8))
        stamp = integer(bytes.suffix(8))
    }

    func id(for user: UserRecordID, in container: Int64, _ keys: KeyRing) throws -> NotificationID {
        var bytes = [NotificationPosition.version] + history.bytes
        for value in [number, stamp] { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        let place = NotificationPosition.place(for: user, in: container)
        return NotificationID(valid: try keys.syncStates.sealAlike(bytes, at: place))
    }

    private static func place(for user: UserRecordID, in container: Int64) -> SealedPlace {
        SealedPlace("notifications", "id", row: .number(container), .bytes(user.value.bytes))
    }
}
