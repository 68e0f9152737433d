import ArgumentParser

/// A mistake on the command line, which is shown with the usage of the command that was meant.
struct UsageError: Error {
    let message: String
    private let command: any ParsableCommand.Type

    init(_ message: String, of command: any ParsableCommand.Type) {
        self.message = message
        self.command = command
    }

    /// The message, the usage, and where to read more.
    var page: String {
        let names = (KinfolkCommand.path(to: command) ?? []).joined(separator: " ")
        return """
            Error: \(message)
            Usage: \(KinfolkCommand.usageString(for: command))
              See '\(names) --help' for more information.
            """
    }
}

extension KinfolkCommand {
    /// The words that call a command, beginning with `kinfolk`.
    static func path(to command: any ParsableCommand.Type) -> [String]? {
        path(from: KinfolkCommand.self, to: command)
    }

    private static func path(from top: any ParsableCommand.Type, to command: any ParsableCommand.Type) -> [String]? {
        if top == command { return [top._commandName] }
        for below in top.configuration.subcommands {
            if let path = path(from: below, to: command) { return [top._commandName] + path }
        }
        return nil
    }
}
