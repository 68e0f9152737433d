import ArgumentParser

/// Suggestions for a mistyped name of a command.
struct Suggestions {
    /// The words up to the first one that is not a command, beginning with `kinfolk`.
    let path: [String]
    private let candidates: [[String]]

    /// Finds the first word that is not a command's name. Nil if there is no such word.
    ///
    /// - Parameter isCertain: Whether to ignore a word that may also be an argument: one that follows a command with a default
    ///   subcommand.
    init?(_ arguments: some Sequence<String>, isCertain: Bool) {
        var path = [KinfolkCommand._commandName]
        var command: any ParsableCommand.Type = KinfolkCommand.self
        for word in arguments {
            let below = command.configuration.subcommands
            guard !below.isEmpty, !word.hasPrefix("-") else { return nil }
            if let next = below.first(where: { $0._commandName == word }) {
                command = next
                path.append(word)
                continue
            }
            let isOptional = command.configuration.defaultSubcommand != nil
            guard !isOptional || !isCertain else { return nil }
            candidates = Suggestions.candidates(for: word, below: command, at: path)
            guard !isOptional || !candidates.isEmpty else { return nil }
            self.path = path + [word]
            return
        }
        return nil
    }

    var error: ValidationError {
        let name = "There is no command \"\(path.joined(separator: " "))\"."
        let meant = candidates.map { "\"\($0.joined(separator: " "))\"" }
        return ValidationError(meant.isEmpty ? name : "\(name) Did you mean \(meant.joined(separator: " or "))?")
    }

    /// Names that differ little from the word; if there are none, commands with that name elsewhere; then names that begin with it.
    private static func candidates(
        for word: String,
        below command: any ParsableCommand.Type,
        at path: [String]
    ) -> [[String]] {
        let names = command.configuration.subcommands.map { $0._commandName }
        let typed = Array(word.lowercased().unicodeScalars)
        let distances = names.map { (name: $0, distance: distance(typed, Array($0.unicodeScalars))) }
        let nearest = distances.map(\.distance).min() ?? .max
        if nearest <= max(1, typed.count / 3) {
            return distances.filter { $0.distance == nearest }.prefix(3).map { path + [$0.name] }
        }
        let elsewhere = paths(below: KinfolkCommand.self, at: [KinfolkCommand._commandName]).filter { $0.last == word }
        if !elsewhere.isEmpty { return Array(elsewhere.prefix(3)) }
        guard word.count >= 2 else { return [] }
        return names.filter { $0.hasPrefix(word.lowercased()) }.prefix(3).map { path + [$0] }
    }

    private static func paths(below command: any ParsableCommand.Type, at path: [String]) -> [[String]] {
        command.configuration.subcommands.flatMap { below in
            [path + [below._commandName]] + paths(below: below, at: path + [below._commandName])
        }
    }

    /// The edit distance: how many letters to add, remove, replace or swap with the next (optimal string alignment).
    static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        // Names are short: a much longer word is not a mistyped name.
        guard one.count <= 40 else { return .max }
        var rows = [Array(0...other.count)]
        for (index, letter) in one.enumerated() {
            var row = [index + 1]
            for (column, wanted) in other.enumerated() {
                var least = min(rows[index][column + 1], row[column]) + 1
                least = min(least, rows[index][column] + (letter == wanted ? 0 : 1))
                if index > 0, column > 0, letter == other[column - 1], one[index - 1] == wanted {
                    least = min(least, rows[index - 1][column - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
