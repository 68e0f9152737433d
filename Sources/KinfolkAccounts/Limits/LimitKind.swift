/// What is limited for each person in each container.
package enum LimitKind: UInt8, CaseIterable {
    // The numbers are stored.
    /// New contacts that the person searches for.
    case permits = 1
    /// Multiplications of points, of private discovery.
    case multiplications = 2
    /// Rows of a private directory that are read for a person, sent or not, plus one for each bucket.
    case rows = 3
    /// Fields that were added to the container's schema.
    case fields = 4

    /// The largest charge with which a service may lease more: a single look-up, but not a whole book.
    package var single: Int {
        switch self {
        case .permits: 1
        case .multiplications: 256
        case .rows: 2_048
        case .fields: 0
        }
    }

    /// The sizes of the first and of the largest lease.
    package var lease: ClosedRange<Int> {
        switch self {
        case .permits: 4...64
        case .multiplications: 256...4_096
        case .rows: 2_048...32_768
        case .fields: 0...0
        }
    }

    /// The name in exports and in error reasons.
    package var name: String {
        switch self {
        case .permits: "permits"
        case .multiplications: "multiplications"
        case .rows: "rows"
        case .fields: "fields"
        }
    }
}
