/// What one call has done so far.
struct ModelCall {
    /// The numbers of its changes.
    var changes: [ModelPlace.Home: Int] = [:]
    /// The bytes of the records that it saved.
    var bytes = 0
}
