import Kinfolk
import KinfolkThreads

/// A file of a record that is sent to a client.
final class StoredFile: WebFile {
    /// A whole chunk of the store.
    private static let pieceLength = 256 << 10

    private let reader: AssetReader
    private let services: WebServices
    private let sender: FairWorkers.Sender
    private let ticket: Ticket
    private let position = Lock(0)

    init(_ reader: AssetReader, _ services: WebServices, _ sender: FairWorkers.Sender, _ ticket: Ticket) {
        (self.reader, self.services, self.sender, self.ticket) = (reader, services, sender, ticket)
    }

    var size: Int { reader.asset.size }

    func read(_ completion: @escaping @Sendable ([UInt8]?) -> Void) {
        services.workers.run(for: sender, isBegun: true) { [self] in
            let start = position.withLock { $0 }
            // The caller may have signed out since the piece before.
            guard (try? ticket.validContainer(services)) != nil,
                let bytes = try? reader.read(at: start, count: StoredFile.pieceLength)
            else {
                completion(nil)
                return 0
            }
            position.withLock { $0 = start + bytes.count }
            completion(bytes)
            return bytes.count
        }
    }
}
