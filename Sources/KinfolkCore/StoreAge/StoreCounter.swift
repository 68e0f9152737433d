import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// A counter that is increased from time to time when the store changes. The same count is kept next to the key
/// (``CounterFile``), so that an older state of the store is detected.
package struct StoreCounter: Equatable {
    /// Distinguishes this store from its copies, which may share the key file. A copy gets an incarnation of its own.
    package let incarnation: RandomID
    package let count: Int64

    private static let name = "counter"

    package init(incarnation: RandomID = .make(), count: Int64 = 0) {
        self.incarnation = incarnation
        self.count = count
    }

    /// The counter of a store. Every store has one from its first transaction on.
    package init(_ keys: KeyRing, _ db: Connection) throws {
        guard let bytes = try ServiceTable.value(StoreCounter.name, db),
            let counter = StoreCounter(bytes: bytes.prefix(bytes.count - min(Tag.length, bytes.count))),
            keys.isAuthentic(Array(bytes.suffix(Tag.length)), of: counter.message)
        else {
            throw KinfolkError.damaged("The store's count of changes was edited without the key.")
        }
        self = counter
    }

    private init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == RandomID.length + 8,
            let incarnation = bytes.prefix(RandomID.length).withUnsafeBytes(RandomID.init(bytes:))
        else { return nil }
        let count = Int64(bitPattern: bytes.suffix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
        self.init(incarnation: incarnation, count: count)
    }

    private var bytes: [UInt8] { incarnation.bytes + withUnsafeBytes(of: count.littleEndian, Array.init) }

    private var message: [UInt8] { message(for: "service_counter") }

    /// The message to authenticate, different for the store and for the counter file.
    package func message(for purpose: StaticString) -> [UInt8] {
        var encoding = RowEncoding(purpose, capacity: 64)
        encoding.append(incarnation)
        encoding.append(count)
        return encoding.bytes
    }

    /// Writes it to the store, authenticated by the newest key.
    package func note(_ keys: KeyRing, _ db: Connection) throws {
        try ServiceTable.set(StoreCounter.name, bytes + keys.authenticationCode(of: message).bytes, db)
    }

    /// The next count.
    package var next: StoreCounter { adding(1) }

    /// A count above those of all states of this store: above what the counter file says, and above stores that a process left
    /// before it wrote their last counts to the file.
    package func above(_ lines: [CounterFile.Line], _ keys: KeyRing) -> StoreCounter {
        let highest = lines.filter { $0.isAhead(of: self, keys) }.map(\.counter.count).max() ?? count
        return StoreCounter(incarnation: incarnation, count: highest).adding(StoreCounter.mostUnwritten)
    }

    private static let mostUnwritten: Int64 = 1_000

    private func adding(_ number: Int64) -> StoreCounter {
        // An authentic count never gets near the maximum.
        let (sum, isOver) = count.addingReportingOverflow(number)
        return StoreCounter(incarnation: incarnation, count: isOver ? .max : sum)
    }
}
