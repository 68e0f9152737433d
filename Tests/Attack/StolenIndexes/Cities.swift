import Kinfolk
import TestSupport

/// Where invented people live: in 40 cities of Europe, as many in each as its population says, within some kilometres of its centre.
struct Cities {
    /// Latitude, longitude, and about how many thousand people live there.
    private static let all: [(latitude: Double, longitude: Double, population: Double)] = [
        (41.01, 28.98, 15_500), (55.75, 37.62, 12_600), (51.51, -0.13, 8_900), (59.93, 30.34, 5_400),
        (52.52, 13.40, 3_700),
        (40.42, -3.70, 3_300), (50.45, 30.52, 2_950), (41.90, 12.50, 2_750), (48.86, 2.35, 2_100),
        (53.90, 27.56, 2_000),
        (48.21, 16.37, 1_950), (53.55, 9.99, 1_850), (52.23, 21.01, 1_850), (44.43, 26.10, 1_700),
        (47.50, 19.04, 1_700),
        (41.39, 2.17, 1_620), (48.14, 11.58, 1_490), (49.99, 36.23, 1_420), (44.79, 20.45, 1_380), (45.46, 9.19, 1_370),
        (50.08, 14.44, 1_300), (55.80, 49.11, 1_250), (42.70, 23.32, 1_240), (56.33, 44.00, 1_230),
        (53.20, 50.15, 1_150),
        (52.48, -1.90, 1_140), (47.24, 39.71, 1_130), (50.94, 6.96, 1_080), (51.66, 39.20, 1_050),
        (46.48, 30.73, 1_010),
        (59.33, 18.07, 980), (40.85, 14.27, 920), (43.30, 5.37, 870), (52.37, 4.90, 870), (45.07, 7.69, 850),
        (59.91, 10.75, 700),
        (55.68, 12.57, 640), (37.98, 23.73, 640), (53.35, -6.26, 590), (38.72, -9.14, 545),
    ]
    /// How far from the centre people live, in degrees of latitude: the standard deviation, about 5 km.
    private static let spread = 0.045

    private let choice = WeightedChoice(all.map(\.population))

    /// A city and a place in it.
    func draw(_ generator: inout SeededGenerator) throws -> (city: Int, place: Location) {
        let city = choice.draw(&generator)
        // About a normal distribution.
        func offset() -> Double {
            (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) } * Cities.spread
        }
        let centre = Cities.all[city]
        return (city, try Location(latitude: centre.latitude + offset(), longitude: centre.longitude + 1.5 * offset()))
    }

    static var centres: [Location] {
        get throws { try all.map { try Location(latitude: $0.latitude, longitude: $0.longitude) } }
    }
}
