package import KinfolkModel

extension TypeDefinition {
    /// The numbers of the fields whose words are indexed.
    ///
    /// - Parameter presence: Which of them are meant while indexes are built and removed.
    func searchableFields(_ presence: IndexPresence) -> [String: Int64] {
        // User records are never queried.
        guard number != 0 else { return [:] }
        return fields.filter { $1.has(.searchable, presence) }.mapValues(\.number)
    }

    /// The words of a record, by the numbers of the SEARCHABLE fields that have them.
    package func words(of content: RecordContent, _ presence: IndexPresence) -> [Int64: Set<Word>] {
        var words: [Int64: Set<Word>] = [:]
        for (name, field) in searchableFields(presence) {
            if let value = content.fields[name] { words[field] = Word.all(in: value) }
        }
        return words
    }
}
