package import KinfolkModel

/// A grid of cells of about the same size that covers the Earth.
///
/// Rows have the same height in degrees. A row has fewer columns the nearer it is to a pole, so that cells are about square. The number
/// of a cell follows from a location by additions, multiplications, divisions and rounding down alone: all machines agree on it, and a
/// larger latitude or longitude never has a lower number.
package struct CellLevel: Sendable, Hashable {
    /// From 0, for the finest level.
    package let number: UInt8
    package let rowCount: Int

    /// The levels of an index: edges of 1.2, 9.8, 78 and 625 km.
    package static let all = [
        CellLevel(number: 0, rowCount: 1 << 14), CellLevel(number: 1, rowCount: 1 << 11),
        CellLevel(number: 2, rowCount: 1 << 8), CellLevel(number: 3, rowCount: 1 << 5),
    ]

    /// The cell in which a location is. 180 degrees of longitude are the same meridian as -180; a pole is in the cell of its
    /// longitude.
    package func cell(of location: Location) -> Cell {
        let row = row(ofLatitude: location.latitude)
        let longitude = location.longitude == 180 ? -180 : location.longitude
        let columns = columnCount(ofRow: row)
        return Cell(level: self, row: row, column: min(column(ofLongitude: longitude, of: columns), columns - 1))
    }

    /// The row of a latitude. Those beyond the poles are in the rows of the poles.
    func row(ofLatitude latitude: Double) -> Int {
        let row = Int(((latitude + 90) / 180 * Double(rowCount)).rounded(.down))
        return min(max(row, 0), rowCount - 1)
    }

    /// The column of a longitude if the row had no ends: those beyond 180 degrees continue the numbers.
    func column(ofLongitude longitude: Double, of count: Int) -> Int {
        Int(((longitude + 180) / 360 * Double(count)).rounded(.down))
    }

    /// The latitudes between which a row lies.
    func latitudes(ofRow row: Int) -> ClosedRange<Double> {
        let height = 180 / Double(rowCount)
        return Double(row) * height - 90...Double(row + 1) * height - 90
    }

    /// How many cells a row has: twice the number of rows times the cosine of the latitude of its middle, by Bhaskara's approximation.
    package func columnCount(ofRow row: Int) -> Int {
        let middle = 2 * row + 1
        let whole = 2 * rowCount
        let product = middle * (whole - middle)
        return max(1, whole * 16 * product / (5 * whole * whole - 4 * product))
    }
}

/// A cell of a level.
package struct Cell: Sendable, Hashable {
    package let level: CellLevel
    package let row: Int
    package let column: Int
}
