import Kinfolk

/// What an operation needs to know of the record in the store.
struct StoredRecord {
    let type: String
    let changeTag: String?
    /// The fields that hold dates.
    let dates: [String: FieldValue]

    init(_ record: Record) {
        type = record.type
        changeTag = record.changeTag
        var dates: [String: FieldValue] = [:]
        for key in record.keys {
            switch record[key] {
            case .date?, .dateList?: dates[key] = record[key]
            default: break
            }
        }
        self.dates = dates
    }
}
