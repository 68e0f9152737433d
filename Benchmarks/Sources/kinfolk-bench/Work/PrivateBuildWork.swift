import Floors
import Glibc
import Kinfolk

/// Builds a private directory of people with one address each, by the product and by the floor, which has another store. Their
/// batches take turns. Measured with one core, and with two.
enum PrivateBuildWork {
    private static let wording = ConsentWording("May others find you?", version: "1")

    static func measure(_ setting: Setting) throws -> [Section] {
        let count = setting.isQuick ? Int(FLOOR_BUILD_GROUP) / 4 : 4 * Int(FLOOR_BUILD_GROUP)
        let product = PeopleStore(in: try Folder(setting.scratch.file("built")), count: count)
        let copy = PeopleStore(in: try Folder(setting.scratch.file("built-by-floor")), count: count)
        defer { for store in [product, copy] { store.folder.remove() } }
        let service = try Service.open(product.path)
        let container = try service.createContainer(PeopleStore.container)
        let file = try PeopleFile.write(count, to: setting.scratch, consenting: true)
        _ = try service.importPeople(fromFile: file, into: container, wording: wording)
        product.copy(to: copy)

        var (ones, twos): ([Times], [Times]) = ([], [])
        for round in 0...(setting.isQuick ? 0 : 7) {
            let one = try build(container, product, copy, threads: 1)
            let two = try build(container, product, copy, threads: 2)
            guard round > 0 || setting.isQuick else { continue }
            ones.append(one)
            twos.append(two)
        }
        let work = Pair(ones.map(\.product.processor), ones.map(\.floor.processor)).divided(by: count)
        let gains = Pair(
            zip(ones, twos).map { $0.product.wall / $1.product.wall },
            zip(ones, twos).map { $0.floor.wall / $1.floor.wall }
        )
        return [
            Section(
                title: "Private directory of \(Unit.grouped(count)) people built",
                rows: [
                    Row("per address", work, in: .microseconds, goal: .ratioAtMost(1.1)),
                    Row("two cores over one", gains, in: .times, goal: .ratioAtLeast(0.95)),
                ]
            )
        ]
    }

    private struct Times {
        var product = Clocks()
        var floor = Clocks()
    }

    private struct Clocks {
        var processor = 0.0
        var wall = 0.0

        mutating func add(_ body: () throws -> Void) rethrows {
            processor += try Stopwatch.processor.time { wall += try Stopwatch.wall.time(body) }
        }

        static func - (all: Clocks, part: Clocks) -> Clocks {
            Clocks(processor: all.processor - part.processor, wall: all.wall - part.wall)
        }
    }

    /// With one thread both are bound to one core. The product has two threads there nevertheless.
    private static func build(
        _ container: Container,
        _ product: PeopleStore,
        _ copy: PeopleStore,
        threads: Int
    ) throws -> Times {
        try container.setDirectoryModes(.hashed)
        if threads == 1 { floor_use_one_core() }
        defer { floor_use_all_cores() }
        let store = floor_store_open(copy.path, copy.key, PeopleStore.container, Configuration.standard.cacheKiB)
        defer { floor_store_close(store) }
        floor_clear_privately(store)
        var (times, ofAll, ofOpening) = (Times(), Clocks(), Clocks())
        var key: PrivateFloor?
        var build: OpaquePointer?
        try ofAll.add {
            try container.setDirectoryModes([.hashed, .private]) { _ in
                if key == nil {
                    // The key exists only after the product has begun.
                    ofOpening.add {
                        let opened = PrivateFloor(product.path, product.key, cacheKiB: 0)
                        build = floor_build_begin(store, opened.epoch, Int32(threads))
                        key = opened
                    }
                }
                times.floor.add { if let build { _ = floor_build_next(build) } }
            }
        }
        if let build { floor_build_end(build) }
        times.product = ofAll - times.floor - ofOpening
        guard let key, digest(key.store) == digest(store) else {
            throw Failure("The floor built a different directory.")
        }
        return times
    }

    private static func digest(_ store: OpaquePointer?) -> [UInt8] {
        PrivateFloor.bytes(32) { floor_private_digest(store, $0) }
    }
}
