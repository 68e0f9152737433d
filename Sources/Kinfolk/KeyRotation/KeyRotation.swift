package import KinfolkFiles
import KinfolkStorage

/// The result of a key rotation.
public struct KeyRotation: Hashable, Sendable {
    /// How many accounts were re-sealed.
    public let accounts: Int

    /// The file that holds the old service key; nil if there was none or the host keeps the key. Copies of the store that were
    /// made before need it. It cannot open anything that the store holds now.
    ///
    /// Bytes of the path that are not UTF-8 are shown as U+FFFD.
    public var oldKeyPath: String? { oldKey?.shown }

    package let oldKey: FilePath?

    /// The new epochs of private directories: one for each container that has a private directory. Their public keys should be
    /// given to clients.
    public let privateEpochs: [ContainerEpoch]

    /// What no longer works, or must be known, after this rotation. Empty after a planned rotation, in which the old epochs of
    /// private directories answer until they are ended.
    public let consequences: Consequences

    /// An epoch of a container's private directory.
    public struct ContainerEpoch: Hashable, Sendable {
        /// The container's name.
        public let container: String
        /// The number of the epoch.
        public let number: UInt32
        /// Its public key, 32 bytes.
        public let publicKey: [UInt8]
    }

    /// What a rotation because of a leak ends, or cannot undo.
    public struct Consequences: OptionSet, Hashable, Sendable {
        /// The same values as in C.
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Clients that know only public keys of older epochs refuse the private directory until they get the new one.
        public static let pinnedClients = Consequences(rawValue: 1)
        /// Contacts that were paid for in private discoveries cost permits again.
        public static let paidContacts = Consequences(rawValue: 2)
        /// Earlier sync states are ignored: their contacts cost permits again.
        public static let syncStates = Consequences(rawValue: 4)
        /// Verification codes that were issued before are refused.
        public static let verificationCodes = Consequences(rawValue: 8)
        /// The bucket key of private directories does not change, because under another key clients would reveal other bits.
        /// Anyone who has the old key can compute the bucket of an address: as many bits of its position as a client reveals.
        public static let bucketKeyStays = Consequences(rawValue: 16)
        /// Web sessions have ended: people sign in again. API tokens, servers' keys and identities remain valid.
        public static let webSessions = Consequences(rawValue: 32)
    }

    /// The progress of a rotation.
    public struct Progress: Sendable {
        /// How many accounts are done. After the last account, this also counts the people who were processed for new private
        /// directories.
        public let accounts: Int
        /// How many there are in all, as far as is known.
        public let total: Int
    }
}
