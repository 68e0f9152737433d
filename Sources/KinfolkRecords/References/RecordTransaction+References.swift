import KinfolkAccounts
import KinfolkModel
import KinfolkStorage

extension RecordTransaction {
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no record with this ID that the session may read.
    func backReferences(to id: RecordID, after last: BackReference?, limit: Int) throws -> [BackReference] {
        guard try readable(id) != nil, let place = try place(ofZone: id.zone) else { throw RecordTransaction.noRecord }
        let tags = RecordCascade.tags(of: id.name, in: place)
        var found: [BackReference] = []
        for kind in BackReference.Kind.allCases where kind.rawValue >= last?.kind.rawValue ?? 0 {
            var number = kind == last?.kind ? last?.number ?? 0 : 0
            var isOver = false
            while found.count < limit, !isOver {
                let count = limit - found.count
                func sources() throws -> [ReferenceTable.Source] {
                    try tags.flatMap {
                        try ReferenceTable.sources(
                            of: $0,
                            ReferenceTable.Kind(kind),
                            after: number,
                            limit: count,
                            in: place,
                            db
                        )
                    }
                }
                try db.askAhead { _ = try sources() }
                let page = try sources().sorted { $0.number < $1.number }.prefix(count)
                isOver = page.count < count
                number = page.last?.number ?? number
                try db.askAhead { for source in page { _ = try RecordTable.row(number: source.number, in: place, db) } }
                for source in page {
                    guard let row = try RecordTable.row(number: source.number, in: place, db), try access.mayRead(row)
                    else { continue }
                    found.append(try backReference(row, source.number, kind, in: place))
                }
            }
        }
        return found
    }

    private func backReference(
        _ row: RecordRow,
        _ number: Int64,
        _ kind: BackReference.Kind,
        in place: RecordPlace
    ) throws -> BackReference {
        BackReference(
            source: RecordID(valid: row.content.name, zone: place.zoneName),
            type: try session.service.schemas.name(ofType: row.type, in: place.container, session.service, db),
            kind: kind,
            number: number
        )
    }
}
