import Kinfolk
import KinfolkJSON

/// How a query is answered, as it is shown.
struct ExplanationView {
    let answer: Answer

    init(_ explanation: QueryExplanation) {
        var table = Table(.fixed("QUERY"), .flexible("ANSWER"))
        table.add("indexes used", ExplanationView.listed(explanation.indexes))
        table.add("indexes missing", ExplanationView.listed(explanation.missingIndexes))
        table.add("exceeds the limit", explanation.exceedsLimit ? "yes: the query fails" : "no")
        table.add("evaluates records", explanation.evaluatesRecords ? "yes" : "no")
        table.add("sorts records", explanation.sortsRecords ? "yes" : "no")
        table.add("index entries read", "\(explanation.entriesRead)")
        table.add("records opened", "\(explanation.recordsOpened)")
        table.add("records discarded", "\(explanation.recordsDiscarded)")
        answer = Answer(
            [
                "indexes": .array(explanation.indexes.map(JSON.text)),
                "missing_indexes": .array(explanation.missingIndexes.map(JSON.text)),
                "exceeds_limit": .boolean(explanation.exceedsLimit),
                "evaluates_records": .boolean(explanation.evaluatesRecords),
                "sorts_records": .boolean(explanation.sortsRecords),
                "entries_read": .count(explanation.entriesRead),
                "records_opened": .count(explanation.recordsOpened),
                "records_discarded": .count(explanation.recordsDiscarded),
            ],
            table: table
        )
    }

    private static func listed(_ indexes: [QueryExplanation.Index]) -> String {
        indexes.isEmpty ? "none" : indexes.map(\.description).joined(separator: ", ")
    }
}
