/// A record of a database.
struct ModelKey: Hashable {
    let zone: String
    let name: String
}
