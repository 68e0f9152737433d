/// Counts what a query reads.
final class QueryWork {
    var entriesRead = 0
    var recordsOpened = 0
    var recordsDiscarded = 0
}
