import KinfolkCrypto
package import KinfolkModel

/// An asset as it is in the store.
package struct AssetRow: Sendable {
    package let id: RandomID
    /// The number under which its chunks are.
    package let number: Int64
    /// Nil once a record has named it.
    package let expiresAt: Timestamp?
    /// How many bytes its chunks and its sealed content have.
    package let bytes: Int
    package var content: AssetContent

    /// Whether a record names it, or named it and is about to delete it.
    package var isNamed: Bool { expiresAt == nil }

    /// Whether this is the file that a caller means.
    package func holds(_ asset: Asset) -> Bool {
        content.file.map { $0.size == asset.size && $0.sha256 == asset.sha256 } ?? false
    }
}

extension AssetRow {
    /// Opens a chunk of a complete asset. The last one is followed by its padding.
    func open(_ sealed: UnsafeRawBufferPointer, _ chunk: Int, isLast: Bool) throws -> [UInt8] {
        let count = sealed.count - ChunkKey.overhead
        guard (1...ChunkKey.chunkLength).contains(count), let file = content.file else {
            throw CryptoError.notAuthentic
        }
        // With the padding, a last chunk has a length that follows from the size of the file.
        let rest = isLast ? file.size - chunk * ChunkKey.chunkLength : ChunkKey.chunkLength
        guard sealed.count == ChunkKey.sealedLength(of: rest, isLast: isLast) else { throw CryptoError.notAuthentic }
        var failure: (any Error)?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do {
                let output = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
                try content.key.open(sealed, number: chunk, isLast: isLast, into: output)
                filled = count
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}
