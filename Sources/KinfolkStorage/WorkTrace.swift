/// The work of several connections, in order.
final class WorkTrace {
    var work: [WorkDone] = []
}
