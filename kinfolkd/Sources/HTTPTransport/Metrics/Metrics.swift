import NIOCore

/// What the connections of one event loop have counted. The sums of all loops are what a scrape answers.
struct Metrics: Sendable {
    /// Answers by operation and status: the index is that of the operation, and then that of the status.
    private var answers = [Int](repeating: 0, count: Operation.count * Metrics.statuses.count)
    private var durations = [Histogram](repeating: Histogram(), count: Operation.count)
    var connectionsAccepted = 0
    var connectionsRefused = 0
    var bytesReceived = 0
    var bytesSent = 0
    var uploads = 0
    var uploadBytes = 0
    var timeouts = 0
    /// Requests whose answer is awaited, and streams of events.
    var waiting = 0
    var streams = 0

    /// The statuses with a line of their own; the last stands for all others.
    private static let statuses = [
        200, 201, 204, 206, 302, 303, 304, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 416, 421, 429, 431, 500,
        503, 0,
    ]

    mutating func answered(_ operation: Operation, _ status: Int, _ duration: TimeAmount) {
        let place = Metrics.statuses.firstIndex(of: status) ?? Metrics.statuses.count - 1
        answers[operation.index * Metrics.statuses.count + place] += 1
        durations[operation.index].add(nanoseconds: duration.nanoseconds)
    }

    mutating func add(_ other: Metrics) {
        for index in answers.indices { answers[index] += other.answers[index] }
        for index in durations.indices { durations[index].add(other.durations[index]) }
        connectionsAccepted += other.connectionsAccepted
        connectionsRefused += other.connectionsRefused
        bytesReceived += other.bytesReceived
        bytesSent += other.bytesSent
        uploads += other.uploads
        uploadBytes += other.uploadBytes
        timeouts += other.timeouts
        waiting += other.waiting
        streams += other.streams
    }

    /// In Prometheus' text format, version 0.0.4.
    func text(connections: Int) -> String {
        var page = MetricsPage()
        page.family("kinfolkd_requests_total", .counter, "Answered requests by operation and status.")
        for operation in Operation.all {
            for (place, status) in Metrics.statuses.enumerated() {
                let count = answers[operation.index * Metrics.statuses.count + place]
                guard count > 0 else { continue }
                page.sample(count, [("operation", operation.name), ("status", status == 0 ? "other" : "\(status)")])
            }
        }
        page.family(
            "kinfolkd_request_duration_seconds",
            .histogram,
            "The time from the head of a request to the end of its answer."
        )
        for operation in Operation.all where durations[operation.index].count > 0 {
            page.histogram(durations[operation.index], [("operation", operation.name)])
        }
        page.single("kinfolkd_connections", .gauge, "Open connections.", connections)
        page.single("kinfolkd_connections_accepted_total", .counter, "Accepted connections.", connectionsAccepted)
        page.single("kinfolkd_connections_refused_total", .counter, "Connections over a limit.", connectionsRefused)
        page.single("kinfolkd_timeouts_total", .counter, "Connections and requests that were too slow.", timeouts)
        page.single("kinfolkd_received_bytes_total", .counter, "Bytes from clients, with those of TLS.", bytesReceived)
        page.single("kinfolkd_sent_bytes_total", .counter, "Bytes to clients, with those of TLS.", bytesSent)
        page.single("kinfolkd_uploads_total", .counter, "Uploads that began.", uploads)
        page.single("kinfolkd_upload_bytes_total", .counter, "Bytes of uploads.", uploadBytes)
        page.single("kinfolkd_waits", .gauge, "Requests that wait for their answer.", waiting)
        page.single("kinfolkd_event_streams", .gauge, "Open streams of events.", streams)
        return page.text
    }
}
