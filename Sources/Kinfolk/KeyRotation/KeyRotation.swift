package import KinfolkStorage

/// What a rotation of the keys did.
public struct KeyRotation: Hashable, Sendable {
    /// How many accounts were sealed anew.
    public let accounts: Int

    /// The file that holds the service key as it was, or nil if there was none or it is the host's. Copies of the store that
    /// were made before need it. It opens nothing of what the store holds now.
    ///
    /// Bytes of the path that are not UTF-8 are shown as U+FFFD.
    public var oldKeyPath: String? { oldKey?.shown }

    package let oldKey: FilePath?

    /// The new epochs of private directories: one for each container that has one. Clients are to get their public keys.
    public let privateEpochs: [ContainerEpoch]

    /// What works no more, or must be known, after this rotation. Empty after a planned one: there the old epochs of private
    /// directories answer until they are ended.
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
        /// As in C.
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Clients that know only public keys of older epochs refuse the private directory until they get the new one.
        public static let pinnedClients = Consequences(rawValue: 1)
        /// Contacts that were asked about in private discoveries cost permits once more.
        public static let paidContacts = Consequences(rawValue: 2)
        /// Sync states from before count as none: their contacts cost permits once more.
        public static let syncStates = Consequences(rawValue: 4)
        /// Verification codes that were issued before are refused.
        public static let verificationCodes = Consequences(rawValue: 8)
        /// The bucket key of private directories stays, since clients would tell other bits under another one. Whoever has it
        /// computes in which bucket an address is: as many bits of it as a client tells.
        public static let bucketKeyStays = Consequences(rawValue: 16)
    }

    /// How far a rotation has come.
    public struct Progress: Sendable {
        /// How many accounts are done; after the last one, how many people were looked at for new private directories too.
        public let accounts: Int
        /// How many there are to do, as far as is known.
        public let total: Int
    }
}
