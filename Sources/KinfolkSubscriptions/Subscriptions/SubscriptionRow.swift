import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkRecords
import KinfolkStorage

/// A subscription as it is in the store.
package struct SubscriptionRow: Sendable {
    /// A random number, by which the store refers to it.
    package let number: Int64
    package let subscriber: UserRecordID
    /// The account of the subscriber.
    package let account: AccountID
    package let subscription: Subscription

    package init(number: Int64, subscriber: UserRecordID, account: AccountID, subscription: Subscription) {
        self.number = number
        self.subscriber = subscriber
        self.account = account
        self.subscription = subscription
    }

    /// What is sealed.
    var content: [UInt8] { account.value.bytes + subscription.encoded }

    /// Opens the sealed part of a row.
    ///
    /// - Parameter database: The default zone of the database.
    package init(_ sealed: [UInt8], number: Int64, subscriber: UserRecordID, in database: RecordPlace) throws {
        let bytes = try database.keys.sealing.open(
            sealed,
            at: SubscriptionRow.place(of: number, of: subscriber, in: database)
        )
        let account = bytes.prefix(RandomID.length).withUnsafeBytes { RandomID(bytes: $0) }
        guard let account else { throw StorageError(.corrupt) }
        self.number = number
        self.subscriber = subscriber
        self.account = AccountID(account)
        subscription = try Subscription(encoded: Array(bytes.dropFirst(RandomID.length)))
    }

    static func place(of number: Int64, of subscriber: UserRecordID, in database: RecordPlace) -> SealedPlace {
        SealedPlace(
            "subscriptions",
            "sealed_subscription",
            row: .number(database.container),
            .bytes(database.owner),
            .bytes(subscriber.value.bytes),
            .number(number)
        )
    }
}
