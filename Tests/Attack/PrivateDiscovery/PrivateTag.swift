import KinfolkCrypto

/// The tag, bucket position and row key of an OPRF output, computed as `docs/private-discovery.md` says.
struct PrivateTag {
    private let output: [UInt8]
    /// The first 8 bytes of a row.
    let tag: UInt64

    init(output: [UInt8]) {
        self.output = output
        tag = PrivateTag.tag(output)
    }

    private static func tag(_ output: [UInt8]) -> UInt64 {
        output.withUnsafeBytes { output in
            var tag: UInt64 = 0
            withUnsafeMutableBytes(of: &tag) { HMACSHA512(key: output).expand("kinfolk/2/tag", into: $0) }
            return UInt64(bigEndian: tag)
        }
    }

    /// The tags of concatenated outputs of 64 bytes.
    static func tags(_ outputs: [UInt8]) -> [UInt64] {
        stride(from: 0, to: outputs.count, by: OPRF.outputLength).map { start in
            tag(Array(outputs[start..<start + OPRF.outputLength]))
        }
    }

    /// The bucket positions of outputs under the bucket key, left-aligned in 64 bits.
    static func buckets(_ outputs: [UInt8]) -> [UInt64] {
        stride(from: 0, to: outputs.count, by: OPRF.outputLength).map { start in
            Array(outputs[start..<start + OPRF.outputLength]).withUnsafeBytes { output in
                var position: UInt32 = 0
                withUnsafeMutableBytes(of: &position) { HMACSHA512(key: output).expand("kinfolk/2/bucket", into: $0) }
                return UInt64(UInt32(bigEndian: position)) << 32
            }
        }
    }

    /// The user record ID in a row, if this output opens it. The row's tag is not compared.
    func open(_ row: [UInt8], container: String, epoch: UInt32) -> [UInt8]? {
        let (salt, sealed) = (Array(row[8..<16]), Array(row[16...]))
        var key = [UInt8](repeating: 0, count: OneTimeSeal.keyLength)
        output.withUnsafeBytes { output in
            salt.withUnsafeBytes { salt in
                key.withUnsafeMutableBytes { HMACSHA512(key: output).expand("kinfolk/2/row", salt, into: $0) }
            }
        }
        let associated =
            Array("kinfolk/2/row".utf8) + withUnsafeBytes(of: epoch.bigEndian, Array.init) + row[..<8]
            + Array(container.utf8)
        var record = [UInt8](repeating: 0, count: sealed.count - OneTimeSeal.overhead)
        let isOpen = record.withUnsafeMutableBytes { record in
            sealed.withUnsafeBytes { sealed in
                associated.withUnsafeBytes { associated in
                    key.withUnsafeBytes { OneTimeSeal.open(sealed, associated, under: $0, into: record) }
                }
            }
        }
        return isOpen ? record : nil
    }
}
