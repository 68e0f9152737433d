import CSodium

package enum ConstantTime {
    /// Compares in constant time: the time does not depend on the content.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }
}
