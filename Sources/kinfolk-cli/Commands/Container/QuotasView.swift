import Kinfolk
import KinfolkJSON

/// The quotas of a container, as they are shown.
struct QuotasView {
    let user: Int?
    let publicDatabase: Int?
    let creator: Int?
    let asset: Int?
    let keyValueStore: Int?

    init(_ container: Container) throws(KinfolkError) {
        user = try container.quota(.user)
        publicDatabase = try container.quota(.publicDatabase)
        creator = try container.quota(.creator)
        asset = try container.quota(.asset)
        keyValueStore = try container.quota(.keyValueStore)
    }

    var json: JSON {
        func bytes(_ limit: Int?) -> JSON { limit.map(JSON.count) ?? .null }
        return [
            "user": bytes(user), "public": bytes(publicDatabase), "creator": bytes(creator), "asset": bytes(asset),
            "key_value_store": bytes(keyValueStore),
        ]
    }

    var table: Table {
        var table = Table(.flexible("WHAT IS LIMITED"), .fixed("OPTION"), .number("LIMIT"))
        table.add("the private database of each user", "--user", ByteLimit(user).text)
        table.add("the public database", "--public", ByteLimit(publicDatabase).text)
        table.add("what each user created in the public database", "--creator", ByteLimit(creator).text)
        table.add("each asset", "--asset", ByteLimit(asset).text)
        let keysAndValues = min(keyValueStore ?? .max, KeyValueStore.maximumSize)
        table.add("the key-value store of each user", "--key-value-store", ByteLimit(keysAndValues).text)
        return table
    }
}
