package import KinfolkModel

extension TypeDefinition {
    /// The numbers of the fields whose words are indexed.
    var searchableFields: [String: Int64] {
        // User records are never queried.
        guard number != 0 else { return [:] }
        return fields.filter { $1.options.contains(.searchable) }.mapValues(\.number)
    }

    /// The words of a record, by the numbers of the SEARCHABLE fields that have them.
    package func words(of content: RecordContent) -> [Int64: Set<Word>] {
        var words: [Int64: Set<Word>] = [:]
        for (name, field) in searchableFields {
            if let value = content.fields[name] { words[field] = Word.all(in: value) }
        }
        return words
    }
}
