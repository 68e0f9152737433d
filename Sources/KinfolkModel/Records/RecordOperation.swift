/// What a batch does with one record.
///
/// A record's change tag identifies the state in which it was fetched. The operations without `force` fail with
/// ``KinfolkError/Code/serverRecordChanged`` if the record in the store has another change tag; the others ignore it.
public enum RecordOperation: Sendable {
    /// Saves a new record. Fails if there is a record with its ID.
    case create(Record)
    /// Writes the fields that were set or removed since the record was fetched.
    case update(Record)
    /// Like `update`, without regard to the change tag. Saves a new record if there is none.
    case forceUpdate(Record)
    /// Writes all fields of the record, and removes all others.
    case replace(Record)
    /// Like `replace`, without regard to the change tag. Saves a new record if there is none.
    case forceReplace(Record)
    /// Deletes the record with an ID, if it still has the change tag.
    case delete(RecordID, changeTag: String?)
    /// Deletes the record with an ID. Succeeds if there is none.
    case forceDelete(RecordID)

    /// The ID of the record.
    public var id: RecordID {
        switch self {
        case .create(let record), .update(let record), .forceUpdate(let record), .replace(let record),
            .forceReplace(let record):
            record.id
        case .delete(let id, _), .forceDelete(let id): id
        }
    }

    /// The record to save; nil for a deletion.
    package var record: Record? {
        switch self {
        case .create(let record), .update(let record), .forceUpdate(let record), .replace(let record),
            .forceReplace(let record):
            record
        case .delete, .forceDelete: nil
        }
    }
}
