import Kinfolk

/// What one call has done so far.
struct ModelCall {
    /// What must be true when all items of a batch are done, or the item fails that saved or deleted a record.
    enum Condition {
        case exists(ModelKey, of: ModelKey)
        case isNotNeeded([ModelRecord], in: ModelPlace, of: ModelKey)
    }

    /// The numbers of its changes.
    var changes: [ModelPlace.Home: Int] = [:]
    /// The bytes of the records that it saved.
    var bytes = 0
    /// The records that it deleted.
    var deleted: [ModelRecord] = []
    /// The assets that records ceased to name.
    var dropped: [ModelPlace: Set<Asset>] = [:]
    /// Whether references are checked when all items are done.
    var defersConditions = false
    /// The records that later items save.
    var upcoming: Set<ModelKey> = []
    var conditions: [Condition] = []
}
