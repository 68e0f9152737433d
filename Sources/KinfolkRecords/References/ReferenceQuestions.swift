import KinfolkModel
import KinfolkStorage

/// What a transaction must know of the records that refer to others, before its first change.
struct ReferenceQuestions {
    /// The records that may be deleted: which records refer to them.
    var deleted: Set<RecordID> = []
    /// The records to which references through `deleteSelf` are added: how many records refer to them so.
    var counted: Set<RecordID> = []

    /// Prefetches the answers for a record.
    func ask(_ id: RecordID, in place: RecordPlace, _ db: Connection) throws {
        if deleted.contains(id) { try ReferenceChanges.askForSources(of: id, in: place, db) }
        if counted.contains(id) { try ReferenceChanges.askForCount(of: id, in: place, db) }
    }
}
