/// What each person may spend only so much of, in each container.
enum LimitKind: UInt8, CaseIterable {
    // The numbers are stored.
    /// Contacts asked about for the first time.
    case permits = 1
    /// Multiplications of points, of private discovery.
    case multiplications = 2
    /// Rows of a private directory that were read for a person, whether or not they were sent; and buckets.
    case rows = 3
    /// Fields that were added to the container's schema.
    case fields = 4

    /// How many a service takes ahead out of the store at once, to spend them from memory.
    var block: Int {
        switch self {
        case .permits: 256
        case .multiplications: 1_024
        case .rows: 32_768
        case .fields: 0
        }
    }

    /// What it is called in an export and in reasons.
    var name: String {
        switch self {
        case .permits: "permits"
        case .multiplications: "multiplications"
        case .rows: "rows"
        case .fields: "fields"
        }
    }
}
