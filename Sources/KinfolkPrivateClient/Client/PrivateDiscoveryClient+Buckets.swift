import KinfolkCrypto
package import KinfolkModel

/// The last step: the buckets that may hold the contacts.
extension PrivateDiscoveryClient {
    /// Lists the buckets of all contacts and fillers. A bucket with a contact that was not looked up yet is requested completely.
    mutating func listBuckets() {
        order = known.contacts.indices.sorted { known.contacts[$0].position < known.contacts[$1].position }
        orderOfTags = known.contacts.indices.sorted { known.contacts[$0].tag < known.contacts[$1].tag }
        buckets = []
        var isNew: [Bool] = []
        for position in order {
            let contact = known.contacts[position]
            let prefix = BucketPrefix(of: contact.position, known.prefixBits)
            if buckets.last?.prefix != prefix {
                buckets.append(BucketRequest.Bucket(prefix: prefix, version: known.version(of: prefix)))
                isNew.append(false)
            }
            if contact.knowledge == .notLookedUp { isNew[isNew.count - 1] = true }
        }
        for (index, isNew) in isNew.enumerated() where isNew {
            buckets[index] = BucketRequest.Bucket(prefix: buckets[index].prefix, version: .none)
        }
    }

    package mutating func take(_ answer: Buckets, _ request: BucketRequest) throws(KinfolkError) {
        let place = DirectoryRow.Place(container: known.container, epoch: known.epoch)
        guard zip(request.buckets, answer.buckets).allSatisfy({ $0.version != .none || $1 != nil }) else {
            throw MessageReader.malformed(
                "The server says that a bucket is unchanged, but the client does not have it."
            )
        }
        exposure.buckets += request.buckets.count
        for case (let asked, let bucket?) in zip(request.buckets, answer.buckets) {
            exposure.rows += bucket.rows.count / DirectoryRow.length
            take(bucket, asked.prefix, at: place)
            known.set(bucket.version, of: asked.prefix)
        }
    }

    private mutating func take(_ bucket: Buckets.Bucket, _ prefix: BucketPrefix, at place: DirectoryRow.Place) {
        let positions = prefix.positions
        let first = order.firstPlace { known.contacts[$0].position >= positions.lowerBound }
        let members = order[first...].prefix { known.contacts[$0].position <= positions.upperBound }
        for position in members { known.set(.nobody, of: position) }
        bucket.rows.withUnsafeBytes { rows in
            for start in stride(from: 0, to: rows.count, by: DirectoryRow.length) {
                let row = UnsafeRawBufferPointer(rebasing: rows[start..<start + DirectoryRow.length])
                guard let tag = DirectoryTag(UnsafeRawBufferPointer(rebasing: row[..<DirectoryTag.length])) else {
                    continue
                }
                let sealed = UnsafeRawBufferPointer(rebasing: row[DirectoryTag.length...])
                let first = orderOfTags.firstPlace { known.contacts[$0].tag >= tag }
                for position in orderOfTags[first...].prefix(while: { known.contacts[$0].tag == tag })
                where positions.contains(known.contacts[position].position) {
                    if let record = DirectoryRow.open(sealed, known.key(of: position), at: place) {
                        known.set(.found(record), of: position)
                    }
                }
            }
        }
    }
}

extension [Int] {
    /// The first position at which a condition holds. It must also hold at all later positions.
    fileprivate func firstPlace(_ isFulfilled: (Int) -> Bool) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if isFulfilled(self[middle]) {
                range = range.lowerBound..<middle
            } else {
                range = middle + 1..<range.upperBound
            }
        }
        return range.lowerBound
    }
}
