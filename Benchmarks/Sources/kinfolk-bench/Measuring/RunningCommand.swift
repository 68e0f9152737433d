import Glibc

/// Another program that runs at the same time.
final class RunningCommand {
    private let stream: UnsafeMutablePointer<FILE>
    private let name: String
    private var hasEnded = false

    init(_ arguments: [String]) throws {
        let line = arguments.map { "'\($0)'" }.joined(separator: " ")
        fflush(nil)
        guard let stream = popen(line, "r") else { throw Failure("\(arguments[0]) cannot be run.") }
        self.stream = stream
        name = arguments[0]
    }

    deinit { if !hasEnded { pclose(stream) } }

    /// Waits for its end, and returns what it printed.
    func output() throws -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { text += buffer.prefix(count) }
        hasEnded = true
        guard pclose(stream) == 0 else { throw Failure("\(name) failed.") }
        return String(decoding: text, as: UTF8.self)
    }
}
