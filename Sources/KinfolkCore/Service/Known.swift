package import KinfolkStorage

/// What reads of one connection have learnt about the store and later reads need again. It is discarded as soon as anything in
/// the store changes.
package final class Known {
    package var keys: KeyRing?
    private var notes: [ObjectIdentifier: any KnownNotes] = [:]

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
        if let notes = notes[ObjectIdentifier(type)] { return unsafeDowncast(notes, to: type) }
        let new = Notes()
        notes[ObjectIdentifier(type)] = new
        return new
    }
}

/// What reads of one connection have learnt about one kind of rows.
package protocol KnownNotes: AnyObject {
    init()
}
