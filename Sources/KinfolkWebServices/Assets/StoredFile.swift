import Kinfolk
import KinfolkThreads

/// A file of a record that is sent to a client.
final class StoredFile: WebFile {
    /// A whole chunk of the store.
    private static let pieceLength = 256 << 10

    private let reader: AssetReader
    private let workers: WorkerPool
    private let position = Lock(0)

    init(_ reader: AssetReader, _ workers: WorkerPool) { (self.reader, self.workers) = (reader, workers) }

    var size: Int { reader.asset.size }

    func read(_ completion: @escaping @Sendable ([UInt8]?) -> Void) {
        workers.run { [self] in
            let start = position.withLock { $0 }
            guard let bytes = try? reader.read(at: start, count: StoredFile.pieceLength) else { return completion(nil) }
            position.withLock { $0 = start + bytes.count }
            completion(bytes)
        }
    }
}
