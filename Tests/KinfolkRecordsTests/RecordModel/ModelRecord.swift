import Kinfolk
import KinfolkCrypto
import KinfolkModel

/// A record as it is in the store of the model.
struct ModelRecord {
    let type: String
    let name: String
    let zone: String
    /// No other record has or had it. 0: never saved.
    var number = 0
    /// Two records have the same change tag in the product if they have the same number here. 0: never saved.
    var tag: Int
    var creator: UserRecordID?
    var modifier: UserRecordID?
    let createdAt: Timestamp
    var modifiedAt: Timestamp
    var fields: [String: ModelValue]
    /// A reference.
    var parent: ModelValue?
    /// The number of its last change; 0 in a default zone.
    var change = 0
    /// The bytes of the sealed record, which count for the quotas. 0: never saved.
    var bytes = 0

    /// The bytes of names and values, which are limited.
    var size: Int { ModelRecord.size(fields, parent) }

    static func size(_ fields: [String: ModelValue], _ parent: ModelValue?) -> Int {
        fields.reduce(parent?.size ?? 0) { $0 + $1.key.utf8.count + $1.value.size }
    }

    /// The same record, with its sealed bytes counted.
    var counted: ModelRecord {
        var content = RecordContent(
            name: name,
            creator: creator,
            createdAt: createdAt,
            modifier: modifier,
            modifiedAt: modifiedAt,
            parent: parent?.references.first.flatMap { try? RecordID($0.target, zone: zone) },
            fields: Fields()
        )
        for (name, value) in fields { content.fields[name] = value.value(in: zone) }
        var record = self
        record.bytes = SealingKey.sealedLength(of: content.bytes.count)
        return record
    }

    var assets: Set<Asset> { Set(fields.values.flatMap(\.assets)) }

    /// What it refers to, in the order of the fields.
    var links: [ModelLink] {
        var links = parent?.references.map { ModelLink(target: $0.target, kind: .parent) } ?? []
        for (_, value) in fields.sorted(by: { $0.key < $1.key }) {
            for reference in value.references {
                switch reference.action {
                case .none: break
                case .deleteSelf: links.append(ModelLink(target: reference.target, kind: .deleteSelf))
                case .validate: links.append(ModelLink(target: reference.target, kind: .validate))
                }
            }
        }
        return links
    }
}
