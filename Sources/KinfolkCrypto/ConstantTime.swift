import CSodium

package enum ConstantTime {
    /// Compares in a time that tells nothing about the content.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }
}
