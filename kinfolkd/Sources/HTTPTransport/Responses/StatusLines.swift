import NIOHTTP1

/// The first lines of answers in HTTP/1, made once.
enum StatusLines {
    private static let lines: [String] = (100...599).map { line($0) }

    static func line(of status: Int) -> String { (100...599).contains(status) ? lines[status - 100] : line(status) }

    private static func line(_ status: Int) -> String {
        "HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r\n"
    }
}
