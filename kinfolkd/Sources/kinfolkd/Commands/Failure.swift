import Glibc

/// Why the service did not start. Each message is one sentence or more.
struct Failure: Error {
    let status: Int32
    let messages: [String]

    init(_ status: Int32, _ messages: [String]) {
        self.status = status
        self.messages = messages
    }

    init(_ status: Int32, _ message: String) { self.init(status, [message]) }

    func exit() -> Never {
        for message in messages { StandardError.write("kinfolkd: \(message)\n") }
        Glibc.exit(status)
    }
}
