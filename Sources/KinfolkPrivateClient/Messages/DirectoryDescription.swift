import KinfolkCrypto
package import KinfolkModel

/// Message 2: the current state of the server's private directory.
package struct DirectoryDescription {
    /// The state of an epoch.
    package enum State: UInt8 {
        /// It answers requests.
        case answering = 0
        /// It will answer later. Its public key is published so that clients can have it before.
        case announced = 1
        /// It has ended. Contacts that were paid for in it are renewed in an epoch that answers.
        case ended = 2
    }

    package struct Epoch {
        package let number: UInt32
        package let state: State
        package let prefixBits: PrefixBits
        package let publicKey: [UInt8]

        package init(number: UInt32, state: State, prefixBits: PrefixBits, publicKey: [UInt8]) {
            self.number = number
            self.state = state
            self.prefixBits = prefixBits
            self.publicKey = publicKey
        }
    }

    /// The same for all epochs and all containers of an operator.
    package let bucketKey: [UInt8]
    /// The maximum number of epochs in a description.
    package static let limit = Int(UInt8.max)
    /// Newest first; at least one answers.
    package let epochs: [Epoch]

    /// The epochs that answer, newest first.
    package var answering: [Epoch] { epochs.filter { $0.state == .answering } }

    /// Message 1.
    package static var request: [UInt8] { BytesWriter(.descriptionRequest, epoch: 0).bytes }

    package init(bucketKey: [UInt8], _ epochs: [Epoch]) {
        self.bucketKey = bucketKey
        self.epochs = epochs
    }

    package var message: [UInt8] {
        var writer = BytesWriter(.description, epoch: answering.first?.number ?? 0)
        writer.append(bucketKey)
        writer.append(UInt8(clamping: epochs.count))
        for epoch in epochs {
            writer.append(epoch.number)
            writer.append(epoch.state.rawValue)
            writer.append(UInt8(clamping: epoch.prefixBits.count))
            writer.append(epoch.publicKey)
        }
        return writer.bytes
    }

    package init(_ reader: inout MessageReader) throws(KinfolkError) {
        bucketKey = Array(try reader.take(OPRF.elementLength))
        var epochs: [Epoch] = []
        for _ in 0..<(try reader.number(UInt8.self)) {
            let number = try reader.number(UInt32.self)
            guard let state = State(rawValue: try reader.number()) else {
                throw MessageReader.malformed("The state of an epoch is unknown.")
            }
            let epoch = Epoch(
                number: number,
                state: state,
                prefixBits: try reader.prefixBits(),
                publicKey: Array(try reader.take(OPRF.elementLength))
            )
            guard epoch.number > 0, epoch.number < epochs.last?.number ?? .max else {
                throw MessageReader.malformed("The epochs are not in descending order.")
            }
            epochs.append(epoch)
        }
        self.epochs = epochs
        guard let newest = answering.first, newest.number == reader.epoch else {
            throw MessageReader.malformed(
                "The epoch in the header is not the newest answering epoch of the description."
            )
        }
        try reader.finish()
    }
}
