/// One query of the product and of the floor, which find the same number of records.
struct Question<Store: QuestionedStore>: Sendable {
    let name: String
    let goal: Double
    let repeats: Int
    let product: @Sendable (Store, Int) throws -> Int
    let floor: @Sendable (Store, Int) throws -> Int

    /// The cost of a query.
    func row(_ store: Store, _ setting: Setting) throws -> Row {
        for _ in 0..<10 {
            let number = store.next()
            let (found, expected) = (try product(store, number), try floor(store, number))
            guard found == expected else {
                throw Failure("\(name): the product finds \(found) records, the floor \(expected).")
            }
        }
        let pair = try Pair(.processor, runs: setting.runs, repeats: repeats) { _ in
            _ = try product(store, store.next())
        } floor: { _ in
            _ = try floor(store, store.next())
        }
        return Row(name, pair, in: .microseconds, goal: .ratioAtMost(goal))
    }

    /// The factor by which the query takes longer among many records, compared with the floor's factor.
    func growth(_ small: Store, _ large: Store, _ setting: Setting) throws -> Row {
        func pair(_ work: @escaping (Store) throws -> Void) throws -> Pair {
            try Pair(.processor, runs: setting.runs, repeats: repeats) { _ in
                try work(large)
            } floor: { _ in
                try work(small)
            }
        }
        let ofProduct = try pair { _ = try product($0, $0.next()) }
        let ofFloor = try pair { _ = try floor($0, $0.next()) }
        return Row(
            name: "\(name), 10^5 to 10^6",
            value: ofProduct.ratio,
            unit: .times,
            floor: ofFloor.ratio,
            ratio: ofProduct.ratio / ofFloor.ratio,
            goal: .ratioAtMost(1.15)
        )
    }

    /// A section for each store, and one for the growth if there are several.
    static func sections(
        _ title: String,
        _ questions: [Question],
        _ stores: [Store],
        _ setting: Setting
    ) throws -> [Section] {
        var sections = try stores.map { store in
            Section(
                title: "\(title) among \(Unit.grouped(store.size))",
                rows: try questions.map { try $0.row(store, setting) }
            )
        }
        if let small = stores.first, let large = stores.last, small.size < large.size {
            let rows = try questions.map { try $0.growth(small, large, setting) }
            sections.append(Section(title: "\(title), growth", rows: rows))
        }
        return sections
    }
}

/// A store that the product and the floor only read.
protocol QuestionedStore {
    /// How many records it has.
    var size: Int { get }

    /// The number of a random record.
    func next() -> Int
}

/// The numbers of random records.
struct RandomNumbers {
    private var state: UInt64 = 42

    mutating func next(below end: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % end
    }
}
