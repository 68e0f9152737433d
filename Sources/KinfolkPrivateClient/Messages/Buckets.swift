package import KinfolkModel

/// Message 6, as the client reads it.
package struct Buckets {
    package struct Bucket {
        package let version: BucketVersion
        /// ``DirectoryRow/length`` bytes each.
        package let rows: ArraySlice<UInt8>
    }

    package let epoch: UInt32
    package let id: RequestID
    package let prefixBits: PrefixBits
    /// In the order of the request; nil for those that have not changed.
    package let buckets: [Bucket?]

    package init(_ reader: inout MessageReader) throws(KinfolkError) {
        epoch = reader.epoch
        id = try RequestID(&reader)
        prefixBits = try reader.prefixBits()
        let count = Int(try reader.number(UInt16.self))
        let bits = Array(try reader.take((count + 7) / 8))
        var buckets: [Bucket?] = []
        buckets.reserveCapacity(count)
        for index in 0..<bits.count * 8 {
            let isSet = bits[index / 8] & 0x80 >> UInt8(index % 8) != 0
            guard index < count else {
                guard !isSet else {
                    throw MessageReader.malformed("Bits are set after the last bucket's.")
                }
                continue
            }
            guard isSet else {
                buckets.append(nil)
                continue
            }
            let version = try reader.version()
            let rows = Int(try reader.number(UInt32.self))
            buckets.append(Bucket(version: version, rows: try reader.take(rows * DirectoryRow.length)))
        }
        self.buckets = buckets
        try reader.finish()
    }
}
