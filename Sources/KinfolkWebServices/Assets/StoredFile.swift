import Kinfolk
import KinfolkThreads

/// A file of a record that is sent to a client.
final class StoredFile: WebFile {
    /// A whole chunk of the store.
    private static let pieceLength = 256 << 10

    private let reader: AssetReader
    private let services: WebServices
    private let sender: FairWorkers.Sender
    private let position = Lock(0)

    init(_ reader: AssetReader, _ services: WebServices, _ sender: FairWorkers.Sender) {
        (self.reader, self.services, self.sender) = (reader, services, sender)
    }

    var size: Int { reader.asset.size }

    func read(_ completion: @escaping @Sendable ([UInt8]?) -> Void) {
        let hasRoom = services.workers.run(for: sender) { [self] in
            let start = position.withLock { $0 }
            guard let bytes = try? reader.read(at: start, count: StoredFile.pieceLength) else {
                completion(nil)
                return 0
            }
            position.withLock { $0 = start + bytes.count }
            completion(bytes)
            return bytes.count
        }
        if !hasRoom { completion(nil) }
    }
}
