import ArgumentParser
import Kinfolk

/// A moment on the command line, in the format of RFC 3339.
struct DateArgument: ExpressibleByArgument {
    let timestamp: Timestamp

    init?(argument: String) {
        guard let moment = RFC3339(argument) else { return nil }
        timestamp = moment.timestamp
    }
}
