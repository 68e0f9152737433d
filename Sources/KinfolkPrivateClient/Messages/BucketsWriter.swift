package import KinfolkModel

/// Writes message 6: the rows of the buckets that changed.
package struct BucketsWriter {
    /// The maximum length of an answer. A longer one would only be requested by mistake, or to keep the server busy.
    package static let maximumLength = 64 << 20

    private var writer: BytesWriter
    private let bits: Int

    package init(answering request: BucketRequest) {
        writer = BytesWriter(.buckets, epoch: request.epoch, capacity: 1 << 16)
        writer.append(request.id.bytes)
        writer.append(UInt8(clamping: request.prefixBits.count))
        writer.append(UInt16(clamping: request.buckets.count))
        bits = writer.bytes.count
        writer.append([UInt8](repeating: 0, count: (request.buckets.count + 7) / 8))
    }

    package var message: [UInt8] { writer.bytes }

    /// Writes the next bucket: `body` adds its rows. If the client already has them, nothing is written.
    ///
    /// The rows are sorted by their tags. The store returns them in the order of their bucket positions, which would reveal to a
    /// client which rows are close to one another, in all containers of the operator.
    package mutating func add(
        _ index: Int,
        known: BucketVersion,
        _ body: (inout BucketsWriter) throws -> Void
    ) throws {
        let start = writer.bytes.count
        writer.append(BucketVersion.none)
        writer.append(UInt32(0))
        let first = writer.bytes.count
        try body(&self)
        let version = BucketVersion(of: writer.bytes[first...])
        guard version != known else { return writer.cut(to: start) }
        writer.sortRows(from: first)
        writer.put(version, at: start)
        writer.put(
            UInt32(clamping: (writer.bytes.count - first) / DirectoryRow.length),
            at: start + BucketVersion.length
        )
        writer.set(bit: index, from: bits)
    }

    /// Adds rows, ``DirectoryRow/length`` bytes each.
    package mutating func add(_ rows: UnsafeRawBufferPointer) throws(KinfolkError) {
        writer.append(rows)
        guard writer.bytes.count <= BucketsWriter.maximumLength else {
            throw KinfolkError(
                .limitExceeded,
                "An answer has at most 64 MiB: ask for fewer buckets, or the container needs a prefix of more bits."
            )
        }
    }
}
