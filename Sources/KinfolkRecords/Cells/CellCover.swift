import Glibc
package import KinfolkModel

/// The cells in which all points lie that are at most at some distance from a centre.
package struct CellCover: Sendable {
    /// The most cells of a cover. More would cost more look-ups than coarser cells cost useless candidates.
    package static let maximumCount = 128
    /// In radians. Cells are much smaller, so a cover has too many of them before its circle is that large.
    private static let maximumAngle = 1.0

    package let cells: [Cell]

    /// The cells of the finest level that needs no more than ``maximumCount``. Nil if no level does.
    package init?(within metres: Double, of centre: Location) {
        for level in CellLevel.all {
            guard let cover = CellCover(within: metres, of: centre, level) else { continue }
            self = cover
            return
        }
        return nil
    }

    /// Nil if the cells are more than ``maximumCount``.
    package init?(within metres: Double, of centre: Location, _ level: CellLevel) {
        guard metres >= 0 else {
            cells = []
            return
        }
        let circle = Circle(centre, angle: metres / Location.radius)
        guard circle.angle < CellCover.maximumAngle else { return nil }
        let rows = level.row(ofLatitude: circle.south)...level.row(ofLatitude: circle.north)
        guard rows.count <= CellCover.maximumCount else { return nil }
        var cells: [Cell] = []
        for row in rows {
            let width = circle.width(between: level.latitudes(ofRow: row))
            let count = level.columnCount(ofRow: row)
            let west = level.column(ofLongitude: centre.longitude - width, of: count)
            let east = level.column(ofLongitude: centre.longitude + width, of: count)
            let columns = width >= 180 || east - west >= count ? 0..<count : west..<east + 1
            guard cells.count + columns.count <= CellCover.maximumCount else { return nil }
            for column in columns {
                // Across the date line.
                let wrapped = (column % count + count) % count
                cells.append(Cell(level: level, row: row, column: wrapped))
            }
        }
        self.cells = cells
    }
}

extension CellCover {
    /// The points around a centre, with a margin for what computing rounds: a millimetre and a billionth.
    private struct Circle {
        private static let margin = 1e-9
        private static let degree = Double.pi / 180

        /// In degrees.
        private let latitude: Double
        /// In radians.
        let angle: Double
        /// The lowest and the highest latitude, in degrees, which may be beyond the poles.
        let south: Double
        let north: Double
        /// Where the circle is widest, in degrees; nil if a pole is in it.
        private let widest: Double?

        init(_ centre: Location, angle: Double) {
            latitude = centre.latitude
            self.angle = angle * (1 + Circle.margin) + Circle.margin
            south = latitude - self.angle / Circle.degree
            north = latitude + self.angle / Circle.degree
            let sine = sin(latitude * Circle.degree) / cos(self.angle)
            widest = abs(sine) < 1 ? asin(sine) / Circle.degree : nil
        }

        /// How far, in degrees of longitude, the points between two latitudes are from the centre's meridian.
        ///
        /// Towards the latitude at which the circle is widest, the width grows on both sides; towards a pole in the circle, always.
        func width(between latitudes: ClosedRange<Double>) -> Double {
            let part = latitudes.clamped(to: max(south, -90)...min(north, 90))
            var width = max(self.width(at: part.lowerBound), self.width(at: part.upperBound))
            if let widest, part.contains(widest) { width = max(width, self.width(at: widest)) }
            return width * (1 + Circle.margin) + Circle.margin
        }

        private func width(at latitude: Double) -> Double {
            let cosines = cos(latitude * Circle.degree) * cos(self.latitude * Circle.degree)
            let height = sin((latitude - self.latitude) / 2 * Circle.degree)
            let radius = sin(angle / 2)
            let rest = (radius - height) * (radius + height)
            guard rest > 0 else { return 0 }
            guard rest < cosines else { return 180 }
            return 2 * asin((rest / cosines).squareRoot()) / Circle.degree
        }
    }
}
