/// The custom zones of a private database.
struct ModelDatabase {
    /// The number of the last change in a custom zone. The changes of one call have one number.
    var lastChange = 0
    var zones: [String: ModelZone] = [:]
    /// The changes that deleted zones, in their order.
    var deletions: [(zone: String, change: Int)] = []
}
