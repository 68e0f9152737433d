/// A custom zone.
struct ModelZone {
    /// A record that was deleted, and not made again.
    struct Deletion {
        let type: String
        let change: Int
    }

    /// The change that made it. A zone that is made again under the same name is another one.
    let number: Int
    /// Its last change.
    var change: Int
    /// Under the names of the records.
    var deletions: [String: Deletion] = [:]
}
