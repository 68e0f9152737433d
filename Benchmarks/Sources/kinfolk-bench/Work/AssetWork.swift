import Floors
import Kinfolk

/// Files of records: stored, read, and the memory that this takes.
enum AssetWork {
    private static let records = 100_000
    private static let size = 10_000_000
    /// The file whose storing and reading takes memory.
    private static let largeSize = 1_000_000_000

    static func measure(_ setting: Setting) throws -> [Section] {
        let runs = setting.isQuick ? 9 : 25
        let store = try RecordStore.ready(records, in: setting.stores).copy(named: "assets", in: setting.scratch)
        let copy = try store.copy(named: "assets-floor", in: setting.scratch)
        defer { for store in [store, copy] { store.remove(); store.folder.remove() } }
        let database = try store.database(withAssets: true)
        let floor = copy.floorAssets()
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        while bytes.count < size { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        bytes.removeLast(bytes.count - size)
        var last: Asset?
        var number: Int64 = 1_000_000_000
        let storing = try Pair(.wall, runs: runs) { _ in
            last = try database.upload(bytes)
        } floor: { _ in
            number += 1
            floor.store(bytes, under: number)
        }
        guard let last else { throw Failure("Nothing was stored.") }
        let reader = try database.reader(of: last)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        func requireSame() throws {
            guard bytes.elementsEqual(buffer) else {
                throw Failure("The file that was read differs from the one that was stored.")
            }
        }
        let reading = try Pair(.wall, runs: runs, repeats: 5) { _ in
            guard try reader.read(at: 0, into: buffer) == size else { throw Failure("The file is too short.") }
        } floor: { _ in
            guard floor.read(number, into: buffer) == size else { throw Failure("The floor's file is too short.") }
        }
        try requireSame()
        let rows = [
            Row("stored, durable", storing, in: .milliseconds, goal: .ratioAtMost(1 / 0.9)),
            Row("read", reading, in: .milliseconds, goal: .ratioAtMost(1 / 0.9)),
        ]
        let memory = try Child.bytes("asset", store.folder.path)
        return [
            Section(title: "A file of 10 MB in a store of \(Unit.grouped(records)) records", rows: rows),
            Section(
                title: "A file of 1 GB, stored and read",
                rows: [
                    Row(name: "memory above idle", value: memory / 1e6, unit: .megabytes, goal: .atMost(8))
                ]
            ),
        ]
    }

    /// How many bytes of memory a process needs at most to store and read a large file, more than before.
    static func memory(in folder: Folder) throws -> Double {
        let database = try RecordStore(folder: folder, count: records).database()
        // The first writes and reads make connections and their caches.
        var piece = [UInt8](repeating: 7, count: 3_000_000)
        let small = try database.upload(piece)
        _ = try database.reader(of: small).read(at: 0, count: piece.count)
        piece = [UInt8](repeating: 7, count: 1_000_000)
        let before = Memory.resident
        let upload = try database.beginUpload()
        for _ in 0..<largeSize / piece.count { try upload.write(piece) }
        let asset = try upload.finish()
        let reader = try database.reader(of: asset)
        for offset in stride(from: 0, to: largeSize, by: piece.count) {
            let count = try piece.withUnsafeMutableBytes { try reader.read(at: offset, into: $0) }
            guard count == piece.count else { throw Failure("The file is too short.") }
        }
        return Memory.peak - before
    }
}
