import ArgumentParser

/// The words of the command line, and what the parser's own messages do not say about a mistake in them.
struct CommandLineWords {
    /// The words to parse. A negative number belongs to the option before it: `--limit -1` is read as `--limit=-1`, so that the
    /// command says which numbers it takes.
    let words: [String]

    init(_ arguments: [String]) {
        var words: [String] = []
        for (index, word) in arguments.enumerated() {
            let isNegative = word.first == "-" && word.dropFirst().first?.isNumber == true
            if isNegative, let option = words.last, option.hasPrefix("--"), option.count > 2, !option.contains("=") {
                words[words.count - 1] = "\(option)=\(word)"
            } else if word == "--" {
                words += arguments[index...]
                break
            } else {
                words.append(word)
            }
        }
        self.words = words
    }

    /// An option that the command does not have, or that stands before the command's name.
    struct UnknownOption {
        let name: String
        let error: UsageError
    }

    /// The first such option. Words that take no part in the search, such as a command's name that does not exist, make it nil.
    var unknownOption: UnknownOption? {
        var command: any ParsableCommand.Type = KinfolkCommand.self
        var (early, late): ([String], [String]) = ([], [])
        var isValue = false
        for word in words.prefix(while: { $0 != "--" }) {
            if word.hasPrefix("--") {
                let isEarly = !command.configuration.subcommands.isEmpty
                if isEarly { early.append(word) } else { late.append(word) }
                isValue = isEarly && !word.contains("=")
                continue
            }
            if let next = command.configuration.subcommands.first(where: { $0._commandName == word }) {
                command = next
            } else if !command.configuration.subcommands.isEmpty && !isValue {
                guard let usual = command.configuration.defaultSubcommand else { return nil }
                command = usual
            }
            isValue = false
        }
        if let usual = command.configuration.defaultSubcommand { command = usual }
        let options = Set(CommandLineWords.options(of: command))
        for word in early + late {
            let name = String(word.prefix { $0 != "=" })
            if !options.contains(name) {
                return UnknownOption(name: name, error: UsageError(unknown(name, options), of: command))
            }
        }
        guard let name = early.first.map({ String($0.prefix { $0 != "=" }) }), command.configuration.subcommands.isEmpty
        else { return nil }
        let path = (KinfolkCommand.path(to: command) ?? []).joined(separator: " ")
        let message = "Put \(name) after the command: \(path) ... \(name)"
        return UnknownOption(name: name, error: UsageError(message, of: command))
    }

    private func unknown(_ name: String, _ options: Set<String>) -> String {
        let near = CommandLineWords.near(name, options)
        let message = "Unknown option '\(name)'."
        return near.isEmpty ? message : "\(message) Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
    }

    /// Options that differ little from the word; if there are none, those of which it is the end or the beginning.
    private static func near(_ name: String, _ options: Set<String>) -> [String] {
        let typed = Array(name.dropFirst(2).lowercased().unicodeScalars)
        guard typed.count >= 2 else { return [] }
        let distances = options.sorted().map { option in
            (option, Suggestions.distance(typed, Array(option.dropFirst(2).unicodeScalars)))
        }
        let nearest = distances.map(\.1).min() ?? .max
        if nearest <= max(1, typed.count / 3) { return distances.filter { $0.1 == nearest }.prefix(3).map(\.0) }
        return Array(
            options.sorted().filter { $0.hasSuffix(name.dropFirst()) || $0.hasPrefix(name) }.prefix(3)
        )
    }

    /// The long names of a command's options, as its page of help lists them.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        let page = KinfolkCommand.helpMessage(for: command, includeHidden: true, columns: HelpText.width)
        let listed = page.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
            line.split(separator: " ").prefix { $0.hasPrefix("-") }.flatMap { $0.split(separator: ",") }
        }
        return listed.filter { $0.hasPrefix("--") }.map(String.init) + ["--help", "--help-hidden"]
    }
}
