import Glibc
import KinfolkWebServices

/// Asks OpenID Connect providers by the program curl, which knows the proxies and the certificates of the machine. Secrets are on its standard
/// input, not on its command line.
enum Fetcher {
    private static let program = "/usr/bin/curl"
    /// How long an answer may take, and its most bytes.
    private static let (seconds, largest) = (10, 1 << 20)

    static var isInstalled: Bool { ChildCommand.isProgram(program) }

    /// The body of the answer; nil unless its status is 200.
    static func body(of fetch: WebFetch) -> [UInt8]? {
        var lines = [
            "silent", "max-time = \(seconds)", "max-filesize = \(largest)", "proto = \"=http,https\"", "max-redirs = 0",
            "write-out = \"%{http_code}\"", "header = \"Accept: application/json\"", "url = \(quoted(fetch.url))",
        ]
        if let form = fetch.form { lines.append("data = \(quoted(form))") }
        if let user = fetch.user { lines.append("user = \(quoted("\(user.name):\(user.password)"))") }
        let input = Array((lines.joined(separator: "\n") + "\n").utf8)
        // --disable: no configuration of the user.
        let command = ChildCommand(words: [program, "--disable", "--config", "-"], seconds: seconds + 2)
        guard let output = command.run(input, outputLimit: largest + 3), output.suffix(3) == Array("200".utf8)[...]
        else {
            return nil
        }
        return Array(output.dropLast(3))
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\": quoted += "\\\(character)"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}
