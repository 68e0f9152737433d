/// A place on Earth, in degrees (WGS 84).
public struct Location: Sendable {
    /// -90 at the south pole to 90 at the north pole.
    public let latitude: Double
    /// -180 to 180, east positive.
    public let longitude: Double

    /// - Throws: ``KinfolkError/Code/invalidArgument`` if a value is out of range or not a number.
    public init(latitude: Double, longitude: Double) throws(KinfolkError) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw KinfolkError(
                .invalidArgument,
                "A latitude must be from -90 to 90 degrees, and a longitude from -180 to 180."
            )
        }
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// Equal if the bits are equal, as for all values of fields.
extension Location: Hashable {
    public static func == (left: Location, right: Location) -> Bool { left.bits == right.bits }
    public func hash(into hasher: inout Hasher) { hasher.combine(bits) }

    package var bits: [UInt64] { [latitude.bitPattern, longitude.bitPattern] }
}

extension Location: Redacted {}
