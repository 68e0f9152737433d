import CSodium

/// Makes tags: keyed BLAKE2b with an output of 16 bytes (RFC 7693).
package struct TagKey: Sendable {
    private let key: SecretKey

    package init(_ key: SecretKey) { self.key = key }

    package func tag(_ value: UnsafeRawBufferPointer) -> Tag {
        withTagger { $0(value) }
    }

    package func tag(_ value: [UInt8]) -> Tag { value.withUnsafeBytes(tag) }

    /// Makes many tags, but accesses the key only once.
    package func withTagger<Result>(
        _ body: ((UnsafeRawBufferPointer) -> Tag) throws -> Result
    ) rethrows -> Result {
        try key.withUnsafeBytes { key in
            let key = key.bindMemory(to: UInt8.self)
            return try body { value in
                var tag = Tag()
                tag.withUnsafeMutableBytes { output in
                    guard let start = output.baseAddress else { return }
                    crypto_generichash_blake2b(
                        start.assumingMemoryBound(to: UInt8.self),
                        output.count,
                        value.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        UInt64(value.count),
                        key.baseAddress,
                        key.count
                    )
                }
                return tag
            }
        }
    }
}
