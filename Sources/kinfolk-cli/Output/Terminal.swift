import Glibc

/// The abilities of a standard stream.
struct Terminal {
    let isTerminal: Bool
    /// The number of columns; nil if nothing limits a line: in a file or a pipe.
    let width: Int?
    let hasColour: Bool

    static let input = Terminal(STDIN_FILENO)
    static let output = Terminal(STDOUT_FILENO)
    static let errors = Terminal(STDERR_FILENO)

    private init(_ descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        width = isTerminal ? Terminal.columns(of: descriptor) : nil
        // https://no-color.org: any value that is not empty.
        let isPlain = !(Environment["NO_COLOR"] ?? "").isEmpty || Environment["TERM"] == "dumb"
        hasColour = isTerminal && !isPlain
    }

    func emphasised(_ text: String) -> String { hasColour ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
    func drawn(_ text: String) -> String { hasColour ? "\u{1b}[36m\(text)\u{1b}[0m" : text }
    func alarming(_ text: String) -> String { hasColour ? "\u{1b}[1;31m\(text)\u{1b}[0m" : text }

    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
