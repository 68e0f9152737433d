import CSodium
import Kinfolk
import KinfolkCrypto

/// A hand-made request to evaluate points that nobody asked about before.
struct PointRequest {
    private(set) var bytes: [UInt8]

    /// The request as a ``SeenMessage``, whose fields can be read and changed.
    var message: [UInt8] { bytes }

    init(epoch: UInt32, count: Int = 64, points: [UInt8]? = nil) throws {
        bytes = Array("KF".utf8) + [2, 3] + withUnsafeBytes(of: epoch.bigEndian, Array.init)
        bytes += SecureRandom.bytes(16) + [0]
        bytes += withUnsafeBytes(of: UInt16(count).bigEndian, Array.init)
        bytes += points ?? PointRequest.randomPoints(count)
    }

    static func randomPoints(_ count: Int) -> [UInt8] {
        var points = [UInt8](repeating: 0, count: 32 * count)
        points.withUnsafeMutableBytes { points in
            guard let start = points.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for index in 0..<count { crypto_core_ristretto255_random(start + 32 * index) }
        }
        return points
    }
}
