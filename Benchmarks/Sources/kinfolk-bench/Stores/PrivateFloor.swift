import Floors

/// A store and the key of its newest private directory, opened by the floor.
final class PrivateFloor: @unchecked Sendable {
    let store: OpaquePointer
    let epoch: OpaquePointer

    init(_ path: String, _ key: String, cacheKiB: Int32) {
        store = floor_store_open(path, key, PeopleStore.container, cacheKiB)
        epoch = floor_epoch_open(store, PeopleStore.container)
    }

    deinit {
        floor_epoch_close(epoch)
        floor_store_close(store)
    }

    var publicKey: [UInt8] { PrivateFloor.bytes(Int(FLOOR_POINT)) { floor_public_key(epoch, $0) } }

    var bucketKey: [UInt8] { PrivateFloor.bytes(Int(FLOOR_POINT)) { floor_bucket_key(epoch, $0) } }

    /// Points under the epoch's key, and under the bucket key.
    func multiply(_ points: [UInt8]) -> (products: [UInt8], bucketProducts: [UInt8]) {
        var products: [UInt8] = []
        let bucketProducts = PrivateFloor.bytes(points.count) { bucketProducts in
            products = PrivateFloor.bytes(points.count) {
                floor_multiply(epoch, points, points.count / Int(FLOOR_POINT), $0, bucketProducts)
            }
        }
        return (products, bucketProducts)
    }

    /// The user record ID of the person with a contact hash, in the product's form.
    func find(_ hash: [UInt8]) -> String? {
        var isFound = false
        let record = PrivateFloor.bytes(Int(FLOOR_ID)) { isFound = floor_find_privately(store, epoch, hash, $0) }
        return isFound ? "_" + Hexadecimal.text(record) : nil
    }

    /// The output buffers of a floor.
    static func bytes(_ count: Int, _ write: (UnsafeMutablePointer<UInt8>?) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            write(buffer.baseAddress)
            written = count
        }
    }
}
