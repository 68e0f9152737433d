import Glibc
import KinfolkThreads
import Testing

@testable import KinfolkWebServices

/// Whose turn it is.
@Suite struct FairWorkersTests {
    private let gate = Lock(false)
    private let order = Lock<[String]>([])
    private let running = Lock(0)

    private func sender(_ caller: String, in network: String = "203.0.113.7") -> FairWorkers.Sender {
        FairWorkers.Sender(network: network, caller: .known(caller))
    }

    /// Sends a job that waits until all may go on.
    private func block(_ workers: FairWorkers, _ sender: FairWorkers.Sender) -> Bool {
        workers.run(for: sender) { [gate, running] in
            running.withLock { $0 += 1 }
            _ = gate.withLock(when: { $0 }, until: .never) { _ in }
            running.withLock { $0 -= 1 }
            return 0
        }
    }

    private func waitUntilRunning(_ count: Int) { _ = running.withLock(when: { $0 == count }, until: .never) { _ in } }

    /// Sends a job that notes its name when it has taken so many seconds of the processor.
    private func send(_ workers: FairWorkers, _ name: String, _ sender: FairWorkers.Sender, costing seconds: Double = 0)
    {
        let isTaken = workers.run(for: sender) { [order] in
            var (begin, now) = (timespec(), timespec())
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
            repeat {
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
            } while Double(now.tv_sec - begin.tv_sec) + Double(now.tv_nsec - begin.tv_nsec) / 1e9 < seconds
            order.withLock { $0.append(name) }
            return 0
        }
        #expect(isTaken)
    }

    private func finish(_ count: Int) -> [String] {
        gate.withLock { $0 = true }
        return order.withLock(when: { $0.count == count }, until: .never) { $0 } ?? []
    }

    @Test func whoHasSentMuchWaitsForOthers() {
        let workers = FairWorkers(limit: 1)
        #expect(block(workers, sender("a")))
        waitUntilRunning(1)
        for _ in 0..<20 { send(workers, "a", sender("a")) }
        send(workers, "b", sender("b"))
        send(workers, "c", sender("c", in: "198.51.100.1"))
        let first = finish(22).prefix(2)
        #expect(Set(first) == ["b", "c"])
    }

    @Test func whatCountsIsTheCostAndNotTheNumber() {
        let workers = FairWorkers(limit: 1)
        #expect(block(workers, sender("x")))
        waitUntilRunning(1)
        for _ in 0..<3 { send(workers, "dear", sender("a", in: "198.51.100.1"), costing: 0.2) }
        for _ in 0..<20 { send(workers, "cheap", sender("b", in: "192.0.2.1")) }
        let all = finish(23)
        // A job that may cost much is not known as such before it has run.
        #expect(all.lastIndex(of: "cheap").map { $0 <= 21 } == true && all.suffix(2) == ["dear", "dear"])
    }

    @Test func aCallerHasAQuarterOfTheThreadsAndANetworkHalf() {
        let workers = FairWorkers(limit: 8)
        for _ in 0..<10 { #expect(block(workers, sender("a"))) }
        waitUntilRunning(2)
        for _ in 0..<10 { #expect(block(workers, sender("b"))) }
        for _ in 0..<10 { #expect(block(workers, sender("c"))) }
        waitUntilRunning(4)
        send(workers, "other", sender("d", in: "198.51.100.1"))
        #expect(order.withLock(when: { $0.count == 1 }, until: .never) { $0 } == ["other"])
        #expect(running.withLock { $0 } == 4)
        _ = finish(1)
        waitUntilRunning(0)
    }

    @Test func aQueueHasAnEnd() {
        let workers = FairWorkers(limit: 8)
        for _ in 0..<2 { #expect(block(workers, sender("a"))) }
        waitUntilRunning(2)
        #expect((0..<40).map { _ in block(workers, sender("a")) }.count(where: \.self) == 32)
        // Others of the network: 128 wait in all, besides those that run.
        for name in ["b", "c"] { #expect(block(workers, sender(name))) }
        waitUntilRunning(4)
        var taken = 32
        for name in 0..<50 { for _ in 0..<4 where block(workers, sender("\(name)")) { taken += 1 } }
        #expect(taken == 128)
        #expect(block(workers, sender("z", in: "198.51.100.1")), "others are served")
        _ = finish(0)
        waitUntilRunning(0)
    }

    @Test func strangersOfAllNetworksHaveHalf() {
        let workers = FairWorkers(limit: 8)
        for number in 0..<20 {
            #expect(block(workers, FairWorkers.Sender(network: "198.51.100.\(number)", caller: .stranger)))
        }
        waitUntilRunning(4)
        send(workers, "known", sender("a"))
        #expect(order.withLock(when: { $0.count == 1 }, until: .never) { $0 } == ["known"])
        _ = finish(1)
        waitUntilRunning(0)
    }
}
