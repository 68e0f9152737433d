import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// Reads an asset from any offset.
///
/// Each call checks again whether the session may read the asset. So when the last record with it is deleted, or the session loses its
/// rights, reading ends with ``KinfolkError/Code/assetNotAvailable``.
///
/// ```swift
/// let reader = try database.reader(of: photo)
/// let header = try reader.read(at: 0, count: 512)
/// ```
public final class AssetReader: Sendable {
    /// How many bytes a transaction reads: a number of chunks.
    private static let lengthAtOnce = 64 * ChunkKey.chunkLength

    private let database: Database
    /// The asset that it reads.
    public let asset: Asset
    /// The chunk of which only a part was asked for, for small reads one after the other.
    private let last = Lock<(chunk: Int, bytes: [UInt8])?>(nil)

    var service: Service { database.service }

    init(_ asset: Asset, in database: Database) throws(KinfolkError) {
        (self.asset, self.database) = (asset, database)
        try read { _, _ in }
    }

    /// Reads bytes into memory.
    ///
    /// - Parameter offset: The position of the first byte.
    /// - Returns: How many bytes were read: fewer than fit only at the end of the file, and 0 beyond it.
    /// - Throws: ``KinfolkError/Code/assetNotAvailable`` if there is no such asset that the session may read,
    ///   ``KinfolkError/Code/invalidArgument`` for a negative offset, ``KinfolkError/Code/storeCorrupt`` if the stored file is damaged.
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(KinfolkError) -> Int {
        guard offset >= 0 else { throw KinfolkError(.invalidArgument, "An offset is not negative.") }
        guard offset < asset.size, buffer.count > 0 else {
            try read { _, _ in }
            return 0
        }
        let end = offset + min(buffer.count, asset.size - offset)
        var position = offset
        while position < end {
            let start = position
            // The last chunk of a transaction is read to its end.
            let limit = start / ChunkKey.chunkLength * ChunkKey.chunkLength
            let next = end - limit > AssetReader.lengthAtOnce ? limit + AssetReader.lengthAtOnce : end
            try read { row, db in
                let output = UnsafeMutableRawBufferPointer(rebasing: buffer[(start - offset)..<(next - offset)])
                try copy(start..<next, of: row, to: output, db)
            }
            position = next
        }
        return end - offset
    }

    /// Reads bytes: see ``read(at:into:)``.
    public func read(at offset: Int, count: Int) throws(KinfolkError) -> [UInt8] {
        guard count >= 0 else { throw KinfolkError(.invalidArgument, "A count is not negative.") }
        let length = min(count, max(asset.size - max(offset, 0), 0))
        var failure: KinfolkError?
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            do throws(KinfolkError) { filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer)) } catch
            {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Runs `body` with the row of the asset, in a transaction.
    private func read(_ body: (AssetRow, Connection) throws -> Void) throws(KinfolkError) {
        try service.read { db in
            let transaction = try RecordTransaction(reading: database.session, database.scope, db)
            try body(try AssetAccess(transaction).row(of: asset), db)
        }
    }

    private func copy(
        _ range: Range<Int>,
        of row: AssetRow,
        to output: UnsafeMutableRawBufferPointer,
        _ db: Connection
    ) throws {
        let length = ChunkKey.chunkLength
        let chunks = range.lowerBound / length..<(range.upperBound - 1) / length + 1
        func copy(_ bytes: UnsafeRawBufferPointer, of chunk: Int) {
            let wanted = range.clamped(to: chunk * length..<chunk * length + length)
            let part = (wanted.lowerBound - chunk * length)..<(wanted.upperBound - chunk * length)
            UnsafeMutableRawBufferPointer(rebasing: output[(wanted.lowerBound - range.lowerBound)...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[part]))
        }
        if chunks.count == 1, let known = last.withLock({ $0 }), known.chunk == chunks.lowerBound {
            return known.bytes.withUnsafeBytes { copy($0, of: known.chunk) }
        }
        let count = ChunkKey.chunkCount(ofSize: asset.size)
        try AssetChunkTable.forEach(chunks, of: row.number, in: database.session.container.number, db) {
            chunk,
            sealed in
            let isLast = chunk == count - 1
            let start = chunk * length - range.lowerBound
            let isWhole = start >= 0 && start + length <= output.count && !isLast
            if isWhole {
                let target = UnsafeMutableRawBufferPointer(rebasing: output[start..<start + length])
                return try row.content.key.open(sealed, number: chunk, isLast: false, into: target)
            }
            let bytes = try row.open(sealed, chunk, isLast: isLast)
            bytes.withUnsafeBytes { copy($0, of: chunk) }
            last.withLock { $0 = (chunk, bytes) }
        }
    }
}
