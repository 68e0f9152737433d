package import KinfolkModel

/// Message 5: the buckets that a client requests, and the version that it has of each.
package struct BucketRequest {
    /// The maximum number of buckets in a request.
    package static let limit = 4_096

    package struct Bucket {
        package let prefix: BucketPrefix
        package let version: BucketVersion
    }

    package let epoch: UInt32
    package let id: RequestID
    package let prefixBits: PrefixBits
    /// In the order of the prefixes, each once.
    package let buckets: [Bucket]

    package init(epoch: UInt32, id: RequestID, prefixBits: PrefixBits, buckets: [Bucket]) {
        self.epoch = epoch
        self.id = id
        self.prefixBits = prefixBits
        self.buckets = buckets
    }

    package var message: [UInt8] {
        let length = prefixBits.byteCount + BucketVersion.length
        var writer = BytesWriter(.bucketRequest, epoch: epoch, capacity: 64 + length * buckets.count)
        writer.append(id.bytes)
        writer.append(UInt8(clamping: prefixBits.count))
        writer.append(UInt16(clamping: buckets.count))
        for bucket in buckets {
            writer.append(bucket.prefix)
            writer.append(bucket.version)
        }
        return writer.bytes
    }

    package init(_ reader: inout MessageReader) throws(KinfolkError) {
        epoch = reader.epoch
        id = try RequestID(&reader)
        prefixBits = try reader.prefixBits()
        let count = Int(try reader.number(UInt16.self))
        guard (1...BucketRequest.limit).contains(count) else {
            throw MessageReader.malformed("A request asks for 1 to \(BucketRequest.limit) buckets.")
        }
        var buckets: [Bucket] = []
        buckets.reserveCapacity(count)
        for _ in 0..<count {
            let bucket = Bucket(prefix: try reader.prefix(prefixBits), version: try reader.version())
            guard buckets.last.map({ $0.prefix < bucket.prefix }) ?? true else {
                throw MessageReader.malformed("The buckets are not in ascending order.")
            }
            buckets.append(bucket)
        }
        self.buckets = buckets
        try reader.finish()
    }
}
