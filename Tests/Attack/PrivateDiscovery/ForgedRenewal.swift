import KinfolkCrypto

/// Requests that claim that contacts were paid for, although they were never evaluated.
enum ForgedRenewal {
    /// Three kinds of forged receipts: random points, the points themselves, the points in another order.
    static func requests(from paid: UInt32, to epoch: UInt32) -> [[UInt8]] {
        let points = PointRequest.randomPoints(64)
        let turned = Array(points[32...] + points[..<32])
        return [PointRequest.randomPoints(64), points, turned].map { receipts in
            var bytes = Array("KF".utf8) + [2, 7] + withUnsafeBytes(of: epoch.bigEndian, Array.init)
            bytes += SecureRandom.bytes(16) + [0] + withUnsafeBytes(of: UInt16(64).bigEndian, Array.init)
            bytes += withUnsafeBytes(of: paid.bigEndian, Array.init)
            return bytes + points + receipts
        }
    }
}
