import Kinfolk
import KinfolkModel
import TestSupport
import Testing

/// Distances on the sphere.
@Suite("Distances") struct LocationDistanceTests {
    private let radius = 6_371_008.8

    private func distance(_ one: (Double, Double), _ other: (Double, Double)) throws -> Double {
        let (one, other) = (
            try Location(latitude: one.0, longitude: one.1), try Location(latitude: other.0, longitude: other.1)
        )
        let distance = one.distance(from: other)
        #expect(other.distance(from: one) == distance)
        return distance
    }

    @Test func oneDegreeIsAPartOfTheCircle() throws {
        let degree = radius * .pi / 180
        #expect(abs(try distance((0, 0), (0, 1)) - degree) < 1e-6)
        #expect(abs(try distance((0, 179.5), (0, -179.5)) - degree) < 1e-6)
        #expect(abs(try distance((50, 7), (51, 7)) - degree) < 1e-6)
        #expect(abs(try distance((89.5, 0), (89.5, 180)) - degree) < 1e-6)
    }

    @Test func citiesAreWhereTheyAre() throws {
        // On a sphere of this radius, from the haversine formula with 50 digits.
        #expect(abs(try distance((52.52, 13.405), (48.8566, 2.3522)) - 877_464.57) < 1)
        #expect(abs(try distance((35.6762, 139.6503), (-33.8688, 151.2093)) - 7_825_841) < 10_000)
    }

    @Test func namesOfOnePointAreNotApart() throws {
        #expect(try distance((90, 0), (90, 123.4)) == 0)
        #expect(try distance((-90, -180), (-90, 7)) == 0)
        for latitude in [0, 12.3, -89.99] {
            #expect(try distance((latitude, 180), (latitude, -180)) == 0)
            #expect(try distance((latitude, 45.6), (latitude, 45.6)) == 0)
        }
    }

    @Test func smallDistancesArePrecise() throws {
        // A nanometre is about this many degrees.
        for exponent in 1...14 {
            var angle = 1.0
            for _ in 0..<exponent { angle /= 8 }
            let expected = angle * .pi / 180 * radius
            #expect(abs(try distance((0, 0), (angle, 0)) / expected - 1) < 1e-12)
            #expect(abs(try distance((0, 0), (0, angle)) / expected - 1) < 1e-12)
            #expect(abs(try distance((0, 180), (0, -180 + angle)) / expected - 1) < 1e-2)
        }
    }

    @Test func oppositePointsAreHalfACircleApart() throws {
        let half = radius * .pi
        #expect(try distance((90, 5), (-90, 77)) == half)
        #expect(try distance((0, 0), (0, 180)) == half)
        #expect(try distance((40, -60), (-40, 120)) == half)
        // One millimetre less, which the arc cosine would not see.
        let small = 0.001 / radius * 180 / .pi
        #expect(abs(half - (try distance((40, -60), (-40 + small, 120))) - 0.001) < 1e-6)
    }
}
