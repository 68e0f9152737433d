import Foundation
import Testing

/// A command with a help page.
struct HelpPage {
    /// The words after `kinfolk`; none for the page of all commands.
    let path: [String]

    /// The pages of all commands, as the command itself lists them.
    static func all(of kinfolk: CommandLineTool) throws -> [HelpPage] {
        let dump = try kinfolk("--experimental-dump-help").json()
        return pages(try #require(dump["command"] as? [String: Any]), [])
    }

    private static func pages(_ command: [String: Any], _ path: [String]) -> [HelpPage] {
        let below = command["subcommands"] as? [[String: Any]] ?? []
        return [HelpPage(path: path)]
            + below.flatMap { command in
                let name = command["commandName"] as? String ?? ""
                return name == "help" ? [] : pages(command, path + [name])
            }
    }
}
