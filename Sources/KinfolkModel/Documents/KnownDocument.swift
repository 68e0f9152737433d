/// What a caller knows of a document that it changes. A ``Document`` has it; a client of the network service sends it.
package struct KnownDocument: Sendable {
    /// The ID of the document.
    package let id: String
    /// The ID of the version on which a save is based. Empty if the caller knows none.
    package let base: String
    /// The ID of the version that was current when the document was read. Empty if the caller does not know it.
    package let current: String
    /// The IDs of the conflicts that the caller has seen.
    package let conflicts: Set<String>

    package init(id: String, base: String = "", current: String = "", conflicts: Set<String> = []) {
        (self.id, self.base, self.current, self.conflicts) = (id, base, current, conflicts)
    }
}

extension Document {
    /// What the owner of this value knows.
    package var known: KnownDocument {
        KnownDocument(id: id, base: base, current: current.id, conflicts: Set(conflicts.map(\.id)))
    }
}
