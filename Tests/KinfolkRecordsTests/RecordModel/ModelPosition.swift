/// What a server change token stands for.
struct ModelPosition {
    let home: ModelPlace.Home
    /// The number of the zone; nil for the changes of a database.
    let zone: Int?
    /// The last change that the reader has seen.
    var change: Int
    /// The last change when the reader began without a token. It needs no deletions up to this one.
    let begin: Int
    /// How many keys had leaked when the token was made.
    let leaks: Int
    /// Whether a zone was ever made in the store. A token from before is like none.
    let isInHistory: Bool
}
