import KinfolkThreads

/// Hears the notifications of a PostgreSQL server, through a connection of its own.
final class PostgreSQLListener: ChangeListener {
    private let address: PostgreSQLAddress
    private var connection: PostgreSQLConnection?
    private(set) var nextStart = Deadline(in: 0)
    /// The next start after a connection that is lost soon.
    private var earliestStart = Deadline(in: 0)

    /// The least number of seconds between two starts.
    private static let pause = 1.0
    /// The number of seconds between two starts if the server answers, but refuses.
    private static let longPause = 60.0

    init(_ address: PostgreSQLAddress) { self.address = address }

    var isListening: Bool { connection != nil }

    var descriptor: Int32 { connection?.socket ?? -1 }

    func start() {
        let begin = Deadline.now
        earliestStart = Deadline(in: PostgreSQLListener.pause)
        do {
            connection = try PostgreSQLConnection(listeningAt: address)
            nextStart = .never
        } catch let error as StorageError where error.kind == .unsupported {
            nextStart = .never
        } catch let error as StorageError where error.isPassing || error.kind == .unreachable {
            // A server that does not answer takes up to a fifth of the time.
            let seconds = Double(Deadline.now - begin) / 1_000_000_000
            nextStart = Deadline(in: max(PostgreSQLListener.pause, 4 * seconds))
        } catch {
            nextStart = Deadline(in: PostgreSQLListener.longPause)
        }
    }

    func takeChanges() -> Bool {
        guard let connection else { return false }
        do { return try connection.takeNotifications() } catch {
            connection.close()
            self.connection = nil
            nextStart = earliestStart
            return true
        }
    }

    func close() {
        connection?.close()
        connection = nil
        nextStart = .never
    }
}
