import Glibc

/// Another program.
enum Command {
    /// Runs a program and returns what it printed.
    static func output(of arguments: [String]) throws -> String {
        let line = arguments.map { "'\($0)'" }.joined(separator: " ")
        fflush(nil)
        guard let stream = popen(line, "r") else { throw Failure("\(arguments[0]) cannot be run.") }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { text += buffer.prefix(count) }
        guard pclose(stream) == 0 else { throw Failure("\(arguments[0]) failed.") }
        return String(decoding: text, as: UTF8.self)
    }

    /// Runs a program that prints one number.
    static func number(from arguments: [String]) throws -> Double {
        let text = try output(of: arguments)
        guard let number = Double(text.split(whereSeparator: \.isWhitespace).joined()) else {
            throw Failure("\(arguments[0]) printed no number: \(text)")
        }
        return number
    }
}
