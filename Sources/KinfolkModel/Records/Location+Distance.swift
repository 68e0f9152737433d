import Glibc

extension Location {
    /// The radius of the sphere on which distances are measured, in metres: the mean radius of the Earth (IUGG).
    package static let radius = 6_371_008.8

    /// The distance along the surface in metres, on a sphere of 6,371,008.8 m. On the ellipsoid it differs by at most 0.6 %.
    ///
    /// The same in both directions, 0 between two names of one point (at a pole, and at 180 and -180 degrees), and precise for points
    /// next to each other and on opposite sides.
    public func distance(from other: Location) -> Double {
        // The haversine of the angle and that of the rest to 180 degrees. Neither is a difference, so neither is inexact if it is small.
        let sine = Location.sine(ofDegrees:)
        let cosines = sine(colatitude) * sine(other.colatitude)
        let angle = Location.angle(longitude, other.longitude)
        let near = square(sine((latitude - other.latitude) / 2)) + cosines * square(sine(angle / 2))
        let far = square(sine((latitude + other.latitude) / 2)) + cosines * square(sine((180 - angle) / 2))
        return 2 * Location.radius * atan2(near.squareRoot(), far.squareRoot())
    }

    /// The angle to the nearer pole, in degrees.
    private var colatitude: Double { 90 - abs(latitude) }

    /// The angle between two meridians, in degrees: at most 180.
    private static func angle(_ one: Double, _ other: Double) -> Double {
        let angle = abs(one - other)
        return angle <= 180 ? angle : (180 - abs(one)) + (180 - abs(other))
    }

    private static func sine(ofDegrees angle: Double) -> Double { sin(angle * (.pi / 180)) }
}

private func square(_ number: Double) -> Double { number * number }
