import Kinfolk

/// A record as it is in the store of the model.
struct ModelRecord {
    let type: String
    let name: String
    let zone: String
    /// Two records have the same change tag in the product if they have the same number here. 0: never saved.
    var tag: Int
    var creator: UserRecordID?
    var modifier: UserRecordID?
    let createdAt: Timestamp
    var modifiedAt: Timestamp
    var fields: [String: ModelValue]
    /// The number of its last change; 0 in a default zone.
    var change = 0

    /// The bytes of names and values, which are limited.
    var size: Int { ModelRecord.size(fields) }

    static func size(_ fields: [String: ModelValue]) -> Int {
        fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.value.size }
    }
}
