import Glibc
import KinfolkThreads
import Synchronization

/// Shared memory by which the processes coordinate the races. Times are on the monotonic clock, which is the same in all processes.
final class RaceBoard: @unchecked Sendable {
    private typealias Cell = Atomic<UInt64>

    private static let headerCount = 8
    private static let cellsPerRace = 5
    private let cells: UnsafeMutablePointer<Cell>
    let races: Int

    /// A new file has only zeros, which are valid atomic numbers.
    init(file: String, races: Int) throws {
        let size = (RaceBoard.headerCount + races * RaceBoard.cellsPerRace) * MemoryLayout<Cell>.stride
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, size) == 0,
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { throw ExperimentFailure("the processes cannot share memory") }
        close(descriptor)
        cells = memory.assumingMemoryBound(to: Cell.self)
        self.races = races
    }

    /// The number of the current race, from 0; nil before the first.
    var current: Int? {
        get { load(0) == 0 ? nil : Int(load(0)) - 1 }
        set { store(0, newValue.map { UInt64($0) + 1 } ?? 0) }
    }

    /// The race to prepare next.
    var turn: Int {
        get { Int(load(1)) }
        set { store(1, UInt64(newValue)) }
    }

    var hasEnded: Bool {
        get { load(2) != 0 }
        set { store(2, newValue ? 1 : 0) }
    }

    /// How many threads are at work.
    var ready: Int { Int(load(3)) }
    func addReady() { add(3) }

    /// When the preparation of this race began that makes the person findable again; 0 before.
    func preparing(_ race: Int) -> UInt64 { load(cell(race, 0)) }
    func setPreparing(_ race: Int) { store(cell(race, 0), Deadline.now) }

    /// When the revoking call returned; 0 before.
    func returned(_ race: Int) -> UInt64 { load(cell(race, 1)) }
    func setReturned(_ race: Int, _ moment: UInt64) { store(cell(race, 1), moment) }

    /// How often the person was found before the revoking call.
    func foundBefore(_ race: Int) -> Int { Int(load(cell(race, 2))) }
    func addFoundBefore(_ race: Int) { add(cell(race, 2)) }

    /// How many discoveries began and ended after it returned.
    func askedAfter(_ race: Int) -> Int { Int(load(cell(race, 3))) }
    func addAskedAfter(_ race: Int) { add(cell(race, 3)) }

    private func cell(_ race: Int, _ number: Int) -> Int {
        RaceBoard.headerCount + race * RaceBoard.cellsPerRace + number
    }

    private func load(_ cell: Int) -> UInt64 { cells[cell].load(ordering: .sequentiallyConsistent) }
    private func store(_ cell: Int, _ value: UInt64) { cells[cell].store(value, ordering: .sequentiallyConsistent) }
    private func add(_ cell: Int) { cells[cell].wrappingAdd(1, ordering: .sequentiallyConsistent) }
}
