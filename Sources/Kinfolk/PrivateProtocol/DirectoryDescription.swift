import KinfolkCrypto

/// Message 2: what the server's private directory is like now.
struct DirectoryDescription {
    struct Epoch {
        let number: UInt32
        let prefixBits: PrefixBits
        let publicKey: [UInt8]
    }

    /// Those that are answered, newest first; never empty.
    let epochs: [Epoch]

    /// Message 1.
    static var request: [UInt8] { BytesWriter(.descriptionRequest, epoch: 0).bytes }

    init(_ epochs: [Epoch]) { self.epochs = epochs }

    var message: [UInt8] {
        var writer = BytesWriter(.description, epoch: epochs.first?.number ?? 0)
        writer.append(UInt8(clamping: epochs.count))
        for epoch in epochs {
            writer.append(epoch.number)
            writer.append(UInt8(clamping: epoch.prefixBits.count))
            writer.append(epoch.publicKey)
        }
        return writer.bytes
    }

    init(_ reader: inout MessageReader) throws(KinfolkError) {
        var epochs: [Epoch] = []
        for _ in 0..<(try reader.number(UInt8.self)) {
            let epoch = Epoch(
                number: try reader.number(),
                prefixBits: try reader.prefixBits(),
                publicKey: Array(try reader.take(OPRF.elementLength))
            )
            guard epoch.number > 0, epoch.number < epochs.last?.number ?? .max else {
                throw MessageReader.malformed("The epochs are not in their order.")
            }
            epochs.append(epoch)
        }
        guard let newest = epochs.first, newest.number == reader.epoch else {
            throw MessageReader.malformed("The description is not of the epoch that it names.")
        }
        self.epochs = epochs
        try reader.finish()
    }
}
