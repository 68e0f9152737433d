package import KinfolkModel

/// Records that a caller describes, and has not fetched: a line of a batch, or a request over a network.
extension Record {
    /// The record with this change tag instead of its own, so that the store compares it.
    ///
    /// - Parameter fields: Its fields, without a parent; nil to keep the fields and the parent.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if no record can have the tag.
    package func holding(
        changeTag text: String,
        fields: Fields? = nil,
        in database: Database
    ) throws(KinfolkError) -> Record {
        guard let changeTag = ChangeTag(text) else {
            throw KinfolkError(.invalidArgument, "A change tag has 16 lower-case hexadecimal digits.")
        }
        let state = State(
            home: database.home,
            changeTag: changeTag,
            createdAt: createdAt ?? Timestamp(microseconds: 0),
            modifiedAt: modifiedAt ?? Timestamp(microseconds: 0),
            creator: createdBy,
            modifier: modifiedBy
        )
        return Record(
            type: type,
            id: id,
            state: state,
            parent: fields == nil ? parent?.target : nil,
            fields: fields ?? self.fields
        )
    }

    /// Notes that a save removes a field which this copy of the record may not have.
    package mutating func removeUnseen(_ field: String) throws(KinfolkError) {
        if self[field] == nil { try set(field, to: .boolean(false)) }
        try remove(field)
    }
}
