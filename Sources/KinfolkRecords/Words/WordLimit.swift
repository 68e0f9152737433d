import KinfolkModel

/// Limits how many rows the words of one record take.
enum WordLimit {
    /// Throws if the SEARCHABLE fields of a record have too many different words.
    ///
    /// A record may have more if it was saved before its fields became SEARCHABLE. Then it must not get others.
    ///
    /// - Parameters:
    ///   - fields: As they will be saved.
    ///   - before: As they are in the store; nil for a new record.
    ///   - type: The record type; nil for a new one, which has no SEARCHABLE fields.
    static func check(_ fields: Fields, over before: Fields?, _ type: TypeDefinition?) throws {
        let names = type?.searchableFields(.wanted).keys.sorted() ?? []
        // A word has at least one byte.
        guard names.reduce(0, { $0 + (fields[$1]?.size ?? 0) }) > Word.maximumCount else { return }
        let words = all(in: fields, names)
        guard words.count > Word.maximumCount else { return }
        if let before, words.isSubset(of: all(in: before, names)) { return }
        throw KinfolkError(
            .limitExceeded,
            "The SEARCHABLE fields of a record have at most \(Word.maximumCount) different words."
        )
    }

    private static func all(in fields: Fields, _ names: [String]) -> Set<Word> {
        names.reduce(into: []) { words, name in
            if let value = fields[name] { words.formUnion(Word.all(in: value)) }
        }
    }
}
