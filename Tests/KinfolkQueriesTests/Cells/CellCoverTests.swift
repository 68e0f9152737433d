import Foundation
import Kinfolk
import KinfolkModel
import KinfolkRecords
import TestSupport
import Testing

/// The cells around a centre have each point that is near enough.
@Suite("Covers of cells") struct CellCoverTests {
    /// Points of which some are special: poles, the date line, the edges of cells.
    private static func point(_ random: inout some RandomNumberGenerator) throws -> Location {
        let latitude: Double =
            switch Int.random(in: 0..<8, using: &random) {
            case 0: [90, -90, 0, -0.0, 90.0.nextDown, (-90.0).nextUp].randomElement(using: &random) ?? 0
            case 1: Double(Int.random(in: -32...32, using: &random)) * 180 / 64
            case 2: Double.random(in: 89.9...90, using: &random) * (Bool.random(using: &random) ? 1 : -1)
            default: Double.random(in: -90...90, using: &random)
            }
        let longitude: Double =
            switch Int.random(in: 0..<8, using: &random) {
            case 0: [180, -180, 0, 180.0.nextDown, (-180.0).nextUp].randomElement(using: &random) ?? 0
            case 1: Double.random(in: 179.9...180, using: &random) * (Bool.random(using: &random) ? 1 : -1)
            default: Double.random(in: -180...180, using: &random)
            }
        return try Location(latitude: latitude, longitude: longitude)
    }

    /// The point in this direction and distance.
    private static func point(_ metres: Double, from centre: Location, bearing: Double) throws -> Location {
        let degree = Double.pi / 180
        let (angle, start) = (metres / Location.radius, centre.latitude * degree)
        let sine = sin(start) * cos(angle) + cos(start) * sin(angle) * cos(bearing)
        let latitude = asin(min(1, max(-1, sine)))
        let turn = atan2(sin(bearing) * sin(angle) * cos(start), cos(angle) - sin(start) * sin(latitude))
        var longitude = centre.longitude + turn / degree
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return try Location(
            latitude: min(90, max(-90, latitude / degree)),
            longitude: min(180, max(-180, longitude))
        )
    }

    @Test func aCoverMissesNoPoint() throws {
        var random = SystemRandomNumberGenerator()
        var (covers, points) = (0, 0)
        for _ in 0..<4_000 {
            let centre = try CellCoverTests.point(&random)
            let metres = pow(10, Double.random(in: -3...6.7, using: &random))
            for level in CellLevel.all {
                guard let cover = CellCover(within: metres, of: centre, level) else { continue }
                let cells = Set(cover.cells)
                #expect(cells.count == cover.cells.count && cells.count <= CellCover.maximumCount)
                covers += 1
                for index in 0..<20 {
                    // Half of them on the edge, where rounding decides.
                    let part = index % 2 == 0 ? 1 : Double.random(in: 0...1, using: &random)
                    let bearing =
                        index < 8
                        ? Double(index / 2) * .pi / 2 : Double.random(in: 0...(2 * .pi), using: &random)
                    let point = try CellCoverTests.point(metres * part, from: centre, bearing: bearing)
                    guard point.distance(from: centre) <= metres else { continue }
                    points += 1
                    #expect(
                        cells.contains(level.cell(of: point)),
                        "\(point.latitude) \(point.longitude) within \(metres) of \(centre.latitude) \(centre.longitude)"
                    )
                }
            }
        }
        #expect(covers > 1_000 && points > 10_000)
    }

    @Test func theCentreIsInItsCover() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1_000 {
            let centre = try CellCoverTests.point(&random)
            for level in CellLevel.all {
                let cover = try #require(CellCover(within: 0, of: centre, level))
                #expect(cover.cells.contains(level.cell(of: centre)) && cover.cells.count <= 8)
            }
        }
    }

    @Test func theNamesOfOnePointCoverEachOther() throws {
        for latitude in [90.0, -90] {
            let cover = try #require(CellCover(within: 0, of: Location(latitude: latitude, longitude: 12)))
            for longitude in stride(from: -180.0, through: 180, by: 7.5) {
                let point = try Location(latitude: latitude, longitude: longitude)
                #expect(cover.cells.contains(CellLevel.all[0].cell(of: point)))
            }
        }
        for level in CellLevel.all {
            let (east, west) = (
                try Location(latitude: 33.3, longitude: 180), try Location(latitude: 33.3, longitude: -180)
            )
            #expect(level.cell(of: east) == level.cell(of: west))
        }
    }

    @Test func radiiThatCannotBeHaveNoCellsOrTooMany() throws {
        let centre = try Location(latitude: 50, longitude: 7)
        #expect(CellCover(within: -1, of: centre)?.cells.isEmpty == true)
        #expect(CellCover(within: -.infinity, of: centre)?.cells.isEmpty == true)
        for metres in [7_000_000, 1e300, .infinity, .nan] {
            let cover = CellCover(within: metres, of: centre)
            #expect(cover.map { $0.cells.isEmpty } ?? true)
        }
        #expect(CellCover(within: 2_000_000, of: centre) != nil)
    }

    @Test func cellsAreAboutSquareAndTheirRowsFull() {
        for level in CellLevel.all {
            for row in 0..<level.rowCount {
                let count = level.columnCount(ofRow: row)
                let middle = (Double(row) + 0.5) * .pi / Double(level.rowCount)
                let ratio = Double(count) / (2 * Double(level.rowCount) * sin(middle))
                #expect(count >= 3 && ratio > 0.9 && ratio < 1.1, "\(row)")
            }
        }
    }

    @Test func aCoverIsNotMuchLargerThanItsCircle() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let centre = try Location(
                latitude: Double.random(in: -70...70, using: &random),
                longitude: Double.random(in: -180...180, using: &random)
            )
            let metres = pow(10, Double.random(in: 3.3...6.2, using: &random))
            let cover = try #require(CellCover(within: metres, of: centre))
            let edge = Location.radius * .pi / Double(cover.cells[0].level.rowCount)
            #expect(Double(cover.cells.count) * edge * edge < 8 * .pi * metres * metres)
        }
    }
}
