package import KinfolkStorage

/// Results about the store that reads of one connection cache for its later reads. Discarded as soon as anything in the store
/// changes.
package final class Known {
    package var keys: KeyRing?
    /// One object of each type. There are few, and comparing their types is faster than hashing one.
    private var notes: [any KnownNotes] = []

    /// The cache that the transaction may use; nil if it writes.
    package static func of(_ db: Connection) throws -> Known? {
        guard db.keepsNotes else { return nil }
        if let known = try db.currentNotes() as? Known { return known }
        let new = Known()
        db.keep(new)
        return new
    }

    /// The notes of one type, which are empty at first.
    package func notes<Notes: KnownNotes>(_ type: Notes.Type) -> Notes {
        for notes in notes where ObjectIdentifier(Swift.type(of: notes)) == ObjectIdentifier(type) {
            return unsafeDowncast(notes, to: type)
        }
        let new = Notes()
        notes.append(new)
        return new
    }
}
