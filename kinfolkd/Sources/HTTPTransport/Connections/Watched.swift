import NIOCore

/// Something on an event loop that must make progress until a deadline.
class Watched {
    /// The place in the loop's list; -1 outside of it.
    fileprivate var place = -1
    var deadline = NIODeadline.distantFuture

    /// Called on the event loop, up to a second after the deadline.
    func deadlinePassed(_ now: NIODeadline) {}

    /// The server stops: requests in progress are answered, and no others begin.
    func drain() {}

    /// The server has stopped: the connection ends now.
    func end() {}
}

/// The watched objects of one event loop.
///
/// One timer checks all deadlines, so that a connection sets a deadline by an assignment.
struct Watchlist {
    private(set) var objects: [Watched] = []

    mutating func add(_ object: Watched) {
        guard object.place < 0 else { return }
        object.place = objects.count
        objects.append(object)
    }

    mutating func remove(_ object: Watched) {
        guard object.place >= 0 else { return }
        let last = objects.removeLast()
        if last !== object {
            objects[object.place] = last
            last.place = object.place
        }
        object.place = -1
    }
}
