import Logging

/// Writes each message as one line: JSON, or text for people.
struct LineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let writer: LogWriter
    private let isJSON: Bool

    init(_ writer: LogWriter, level: Logger.Level, isJSON: Bool) {
        self.writer = writer
        self.isJSON = isJSON
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let more = event.metadata { fields.merge(more) { $1 } }
        var line = LogLine(isJSON: isJSON)
        line.begin(level: event.level.rawValue, message: event.message.description)
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { line.add(name, value.description) }
        writer.write(line.finished)
    }
}
