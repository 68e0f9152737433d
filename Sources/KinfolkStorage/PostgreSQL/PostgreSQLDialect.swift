/// Translates those parts of a table's definition that only SQLite understands.
enum PostgreSQLDialect {
    /// A definition for PostgreSQL. Texts are ordered by their bytes, as in SQLite.
    static func definition(_ sql: String, textType: String) -> String {
        var words: [Substring] = []
        for line in sql.split(separator: "\n", omittingEmptySubsequences: false) {
            words.append(line.drop { $0 == " " }.hasPrefix("--") ? "" : Substring(translated(line, textType)))
        }
        return words.joined(separator: "\n")
    }

    private static func translated(_ line: Substring, _ textType: String) -> String {
        let types = ["BLOB": "BYTEA", "INTEGER": "BIGINT", "TEXT": textType]
        let text = line.hasSuffix(") WITHOUT ROWID;") ? ");" : line
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let end = word.last.map { ",);".contains($0) } == true ? word.suffix(1) : ""
            return (types[String(word.dropLast(end.count))] ?? String(word.dropLast(end.count))) + end
        }.joined(separator: " ")
    }
}
