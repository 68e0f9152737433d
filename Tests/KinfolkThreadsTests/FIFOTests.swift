import KinfolkThreads
import Testing

@Suite struct FIFOTests {
    private final class Thing: Sendable {}

    /// Also while it is never empty, with more elements than are moved together.
    @Test func whatIsAddedFirstIsTakenFirst() {
        var queue = FIFO<Int>()
        #expect(queue.take() == nil && queue.isEmpty)
        var (added, taken) = (0, 0)
        for round in 0..<5_000 {
            for _ in 0..<(round.isMultiple(of: 2) ? 3 : 1) {
                queue.add(added)
                added += 1
            }
            for _ in 0..<(round < 2_500 ? 1 : 2) where queue.count > 1 {
                #expect(queue.take() == taken)
                taken += 1
            }
            #expect(queue.count == added - taken)
        }
        while let element = queue.take() {
            #expect(element == taken)
            taken += 1
        }
        #expect(taken == added && queue.isEmpty)
    }

    @Test func whatWasTakenIsReleased() {
        var queue = FIFO<Thing>()
        weak var first: Thing?
        do {
            let thing = Thing()
            first = thing
            queue.add(thing)
        }
        queue.add(Thing())
        _ = queue.take()
        #expect(first == nil && queue.count == 1)
    }
}
