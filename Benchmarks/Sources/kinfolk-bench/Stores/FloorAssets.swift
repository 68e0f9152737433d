import Floors

/// The floor's connection to the assets of a ``RecordStore``.
final class FloorAssets {
    private let store: OpaquePointer
    private let assets: OpaquePointer

    init(_ store: OpaquePointer) {
        self.store = store
        assets = floor_assets_open(store)
    }

    deinit {
        floor_assets_close(assets)
        floor_store_close(store)
    }

    func store(_ bytes: [UInt8], under number: Int64) { floor_assets_store(assets, number, bytes, bytes.count) }

    /// Reads a file, and returns its length.
    func read(_ number: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        floor_assets_read(assets, number, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), buffer.count)
    }
}
