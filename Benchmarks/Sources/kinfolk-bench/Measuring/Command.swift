import Glibc

/// Another program.
enum Command {
    /// Runs a program and returns what it printed.
    static func output(of arguments: [String]) throws -> String { try RunningCommand(arguments).output() }

    /// Runs a program that prints one number.
    static func number(from arguments: [String]) throws -> Double {
        let text = try output(of: arguments)
        guard let number = Double(text.split(whereSeparator: \.isWhitespace).joined()) else {
            throw Failure("\(arguments[0]) printed no number: \(text)")
        }
        return number
    }
}
