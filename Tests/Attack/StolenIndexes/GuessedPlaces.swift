import Kinfolk
import KinfolkAccounts
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import TestSupport

/// What a thief learns of QUERYABLE locations, who knows how the population is spread: from how many records are in each cell, and from
/// the small cells within the large ones.
struct GuessedPlaces {
    private static let schema = """
        DEFINE SCHEMA RECORD TYPE Person (home LOCATION QUERYABLE, GRANT READ TO "_world", GRANT CREATE TO "_icloud");
        """
    /// How many people a thief invents to know how the population is spread over the cells.
    private static let sample = 200_000
    /// Two of the sizes of cells: 78 km and 625 km.
    private static let (inner, outer) = (2, 3)

    private let indexes: StolenIndexes
    private let truth: [Int64: Location]
    private let own: Set<Int64>

    init(_ count: Int) throws {
        let store = try AttackedStore()
        try store.container.applySchema(GuessedPlaces.schema)
        var generator = SeededGenerator(seed: 18)
        let drawn = try (0..<count).map { _ in try Cities().draw(&generator).place }
        let saved = try RecordBatches.save(
            drawn,
            in: store.session(InventedPerson(1)).publicDatabase,
            GuessedPlaces.record
        )
        let chosen = try RecordBatches.save(
            Cities.centres,
            in: store.session(InventedPerson(2)).publicDatabase,
            GuessedPlaces.record
        )
        indexes = try StolenIndexes(StolenFile(store.path))
        let numbers = try RecordBatches.numbers(of: saved + chosen, in: store, indexes)
        truth = Dictionary(uniqueKeysWithValues: zip(numbers, drawn))
        own = Set(numbers.suffix(chosen.count))
    }

    private static func record(_ home: Location) throws -> Record {
        var record = try Record(type: "Person")
        try record.set("home", to: .location(home))
        return record
    }

    func findings() throws -> [Finding] {
        let cells = try cellsOfRecords()
        let known = try expected()
        let guess = guess(cells, known)
        let right = truth.count { number, place in
            cells[number].flatMap { guess[$0[GuessedPlaces.inner]] }
                == CellLevel.all[GuessedPlaces.inner].cell(of: place)
        }
        let byCount = byCount(cells, known)
        let counted = truth.count { number, place in
            cells[number].flatMap { byCount[$0[GuessedPlaces.inner]] }
                == CellLevel.all[GuessedPlaces.inner].cell(of: place)
        }
        let most = known.inner.max { $0.value < $1.value }?.key
        let blind = truth.values.count { CellLevel.all[GuessedPlaces.inner].cell(of: $0) == most }
        guard right > blind else { throw ExperimentFailure("\(right) guessed rightly, and \(blind) without the store") }
        let ownTags = Set(indexes.cells.filter { own.contains($0.number) }.map(\.tag))
        let marked = cells.values.count { ownTags.contains($0[GuessedPlaces.inner]) }
        let (near, seen) = neighbours(cells)
        func share(_ count: Int, _ total: Int) -> String { "\((100 * Double(count) / Double(total)).rounded(to: 0)) %" }
        return [
            Finding(
                "not promised: a QUERYABLE location of \(truth.count.grouped) people in 40 cities of known populations: records whose cell "
                    + "of 78 km is guessed right",
                "\(share(blind, truth.count)) without the store, \(share(counted, truth.count)) by counts, "
                    + "\(share(right, truth.count)) also by the cells of 625 km around them",
                isHeld: true
            ),
            Finding(
                "not promised: the same, by a thief who saved a record in the centre of each city before",
                "\(share(marked, truth.count)) of the records are in a marked cell",
                isHeld: true
            ),
            Finding(
                "not promised: neighbourhood, from shared cells: of \(near.grouped) pairs of records within 10 km",
                GuessedPlaces.sizes.enumerated().map { "\(share(seen[$0.offset], near)) share one of \($0.element)" }
                    .joined(separator: ", "),
                isHeld: true
            ),
        ]
    }

    private static let sizes = ["1.2 km", "9.8 km", "78 km", "625 km"]

    // MARK: What the thief sees

    /// For each record its cells, from the smallest to the largest. A tag does not name its size: more records have that of a larger cell.
    private func cellsOfRecords() throws -> [Int64: [Tag]] {
        let counts = Dictionary(grouping: indexes.cells, by: \.tag).mapValues(\.count)
        let cells = Dictionary(grouping: indexes.cells.filter { truth[$0.number] != nil }, by: \.number).mapValues {
            entries in
            entries.map(\.tag).sorted { (counts[$0, default: 0], $0) < (counts[$1, default: 0], $1) }
        }
        guard cells.count == truth.count, cells.values.allSatisfy({ $0.count == CellLevel.all.count }) else {
            throw ExperimentFailure("the cells of \(cells.count) records are seen")
        }
        return cells
    }

    private struct Population {
        var inner: [Cell: Double] = [:]
        /// The cells within each large one.
        var outer: [Cell: [Cell: Double]] = [:]
    }

    /// The share of the population in each cell.
    private func expected() throws -> Population {
        var generator = SeededGenerator(seed: 81)
        var population = Population()
        for _ in 0..<GuessedPlaces.sample {
            let place = try Cities().draw(&generator).place
            let inner = CellLevel.all[GuessedPlaces.inner].cell(of: place)
            population.inner[inner, default: 0] += 1 / Double(GuessedPlaces.sample)
            population.outer[CellLevel.all[GuessedPlaces.outer].cell(of: place), default: [:]][inner, default: 0] +=
                1 / Double(GuessedPlaces.sample)
        }
        return population
    }

    // MARK: Guesses

    /// The cell with the most records is that with the most people, and so on.
    private func byCount(_ cells: [Int64: [Tag]], _ known: Population) -> [Tag: Cell] {
        let tags = Dictionary(grouping: cells.values.map { $0[GuessedPlaces.inner] }) { $0 }.sorted {
            $0.value.count > $1.value.count
        }
        let cells = known.inner.sorted { $0.value > $1.value }
        return Dictionary(uniqueKeysWithValues: zip(tags.map(\.key), cells.map(\.key)))
    }

    /// Each large cell is that in which the people are spread most similarly over the small ones; these then follow by their counts.
    private func guess(_ cells: [Int64: [Tag]], _ known: Population) -> [Tag: Cell] {
        var seen: [Tag: [Tag: Double]] = [:]
        for cells in cells.values {
            seen[cells[GuessedPlaces.outer], default: [:]][cells[GuessedPlaces.inner], default: 0] +=
                1 / Double(truth.count)
        }
        func shares(_ cells: some Collection<Double>) -> [Double] { cells.sorted(by: >) }
        var pairs: [(distance: Double, tag: Tag, cell: Cell)] = []
        for (tag, tags) in seen {
            let left = shares(tags.values)
            for (cell, cells) in known.outer {
                let right = shares(cells.values)
                var distance = 0.0
                for index in 0..<max(left.count, right.count) {
                    let (own, known) = (index < left.count ? left[index] : 0, index < right.count ? right[index] : 0)
                    distance += abs(own - known)
                }
                // The largest deviation by chance grows with the square root of the share.
                pairs.append((distance / right.reduce(0, +).squareRoot(), tag, cell))
            }
        }
        var guess: [Tag: Cell] = [:]
        var (usedTags, usedCells) = (Set<Tag>(), Set<Cell>())
        for (_, tag, cell) in pairs.sorted(by: { $0.distance < $1.distance })
        where !usedTags.contains(tag) && !usedCells.contains(cell) {
            usedTags.insert(tag)
            usedCells.insert(cell)
            let tags = seen[tag, default: [:]].sorted { $0.value > $1.value }
            let cells = known.outer[cell, default: [:]].sorted { $0.value > $1.value }
            for (tag, cell) in zip(tags, cells) { guess[tag.key] = cell.key }
        }
        return guess
    }

    /// How many of the pairs of records within 10 km there are, and how many of them share a cell of each size.
    private func neighbours(_ cells: [Int64: [Tag]]) -> (near: Int, seen: [Int]) {
        let people = truth.sorted { $0.key < $1.key }.prefix(2_000)
        var near = 0
        var seen = Array(repeating: 0, count: CellLevel.all.count)
        for (index, (number, place)) in people.enumerated() {
            for (other, otherPlace) in people.dropFirst(index + 1)
            where abs(place.latitude - otherPlace.latitude) < 0.1 && place.distance(from: otherPlace) <= 10_000 {
                near += 1
                guard let left = cells[number], let right = cells[other] else { continue }
                for size in seen.indices where left[size] == right[size] { seen[size] += 1 }
            }
        }
        return (near, seen)
    }
}
