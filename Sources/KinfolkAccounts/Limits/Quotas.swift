/// The quotas that a container's operator has set, in bytes; nil for no limit.
package struct Quotas: Equatable, Sendable {
    /// Nothing is limited but the size of an asset.
    package static let standard = Quotas()

    private var values: [Int?] = [nil, nil, nil, 250_000_000, nil]

    package subscript(quota: Quota) -> Int? {
        get { values[Int(quota.rawValue)] }
        // The store has the largest number for an asset without limit.
        set { values[Int(quota.rawValue)] = newValue == .max ? nil : newValue }
    }
}
