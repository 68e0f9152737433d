import KinfolkCrypto

/// Which records of one type share a value, as the thief sees it: for each record the tags of its two fields.
struct StolenSurvey {
    /// The tags of each field.
    let tags: [[Tag]]
    /// For each record, the positions of its tags in ``tags``.
    let records: [[Int]]

    /// - Parameter rows: For each record two tags. No tag says to which field it belongs.
    init(_ rows: [Set<Tag>]) throws {
        // A record has one tag of each field. So from one tag follows the field of all tags that are connected with it.
        var neighbours: [Tag: Set<Tag>] = [:]
        for pair in rows {
            let pair = pair.sorted()
            guard pair.count == 2 else { throw ExperimentFailure("a record has \(pair.count) tags") }
            neighbours[pair[0], default: []].insert(pair[1])
            neighbours[pair[1], default: []].insert(pair[0])
        }
        var field: [Tag: Int] = [:]
        for start in neighbours.keys.sorted() where field[start] == nil {
            field[start] = 0
            var open = [start]
            while let tag = open.popLast() {
                for next in neighbours[tag, default: []] where field[next] == nil {
                    field[next] = 1 - (field[tag] ?? 0)
                    open.append(next)
                }
            }
        }
        let tags = [0, 1].map { number in field.filter { $0.value == number }.map(\.key).sorted() }
        let positions = tags.map { tags in Dictionary(uniqueKeysWithValues: tags.enumerated().map { ($1, $0) }) }
        records = try rows.map { pair in
            guard let first = pair.first(where: { field[$0] == 0 }), let second = pair.first(where: { field[$0] == 1 }),
                let left = positions[0][first], let right = positions[1][second]
            else { throw ExperimentFailure("two tags of one field are in one record") }
            return [left, right]
        }
        self.tags = tags
    }

    private init(tags: [[Tag]], records: [[Int]]) {
        self.tags = tags
        self.records = records
    }

    /// With the fields exchanged.
    var exchanged: StolenSurvey { StolenSurvey(tags: tags.reversed(), records: records.map { $0.reversed() }) }
}
