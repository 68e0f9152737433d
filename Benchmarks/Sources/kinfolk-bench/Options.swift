/// The command line.
struct Options {
    var isQuick = false
    /// Words. A benchmark runs if its name contains one of them.
    var selection: [String] = []
    var folder = ".build/bench"
    var json: String?
    var markdown: String?
    var library: String?
    /// The script that runs a command with a PostgreSQL server.
    var postgresql: String?
    var python: (package: String, scripts: String)?
    /// The network service, the command, and the floor of the service.
    var service: (server: String, command: String, floor: String)?
    /// The work of a child process, and its arguments.
    var child: [String] = []

    static let usage = """
        usage: kinfolk-bench [--quick] [--rows WORDS] [--json FILE] [--markdown FILE]
                             [--folder FOLDER] [--library FILE] [--postgresql SCRIPT]
                             [--python PACKAGE SCRIPTS] [--service SERVER COMMAND FLOOR]
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value() throws -> String {
            guard let value = rest.popFirst() else { throw Failure(Options.usage) }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--rows": selection = try value().lowercased().split { $0 == "," || $0 == " " }.map(String.init)
            case "--folder": folder = try value()
            case "--json": json = try value()
            case "--markdown": markdown = try value()
            case "--library": library = try value()
            case "--postgresql": postgresql = try value()
            case "--python": python = (try value(), try value())
            case "--service": service = (try value(), try value(), try value())
            case "--child":
                child = Array(rest)
                return
            default: throw Failure(Options.usage)
            }
        }
    }
}
