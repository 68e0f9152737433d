import Glibc
import KinfolkThreads

/// The threads that answer requests, shared fairly: start-time fair queuing (Goyal, Vin, Cheng 1996) over networks, and within each network
/// over its callers.
///
/// What counts is the cost of a job, which is known when it has run: its processor time, and the size of its answer. So somebody with few and
/// cheap requests waits for one job at most, however many others have sent. Nobody has more than a part of the threads at a time, or of the
/// queue: more is refused.
final class FairWorkers: Sendable {
    /// Who sends a request.
    struct Sender: Hashable, Sendable {
        /// Empty for a program on this machine, which may be a proxy with many clients.
        let network: String
        let caller: Caller

        enum Caller: Hashable, Sendable {
            /// All of a network who have not said who they are. API tokens are public: they say nothing.
            case stranger
            /// Transfers of files, by URLs that say nothing either.
            case files
            case known(String)
        }
    }

    /// A job. It returns how many bytes its answer has.
    typealias Job = @Sendable () -> Int

    /// What a caller has sent and had. Used under the lock, as the lines of networks.
    private final class Line: @unchecked Sendable {
        /// The cost of what it has had, in seconds, on the clock of the virtual time.
        var tag: Double
        var running = 0
        var jobs = FIFO<Job>()

        init(tag: Double) { self.tag = tag }

        var isIdle: Bool { jobs.isEmpty && running == 0 }
    }

    private final class NetworkLine: @unchecked Sendable {
        var tag: Double
        var running = 0
        var waiting = 0
        /// The virtual time among its callers.
        var virtual = 0.0
        var callers: [Sender.Caller: Line] = [:]

        init(tag: Double) { self.tag = tag }

        var isIdle: Bool { waiting == 0 && running == 0 }
    }

    private struct State {
        var virtual = 0.0
        var waiting = 0
        var running = 0
        var strangers = 0
        /// The threads that take jobs.
        var workers = 0
        var networks: [String: NetworkLine] = [:]
        var ended = 0
    }

    /// What a job is taken to cost until it has run, in seconds, and what each costs at least.
    private static let estimate = 0.000_1
    private static let costOfByte = 0.000_2 / 65_536
    private static let roomOfCaller = 32
    private static let roomOfNetwork = 128
    private static let roomOfMachine = 4_096

    private let state = Lock(State())
    private let pool: WorkerPool
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
        pool = WorkerPool(limit: limit)
    }

    /// Runs a job when it is the sender's turn.
    ///
    /// - Parameter isBegun: Whether it goes on with something that was taken before, and is not refused.
    /// - Returns: False if too many of the sender wait already.
    @discardableResult
    func run(for sender: Sender, isBegun: Bool = false, _ job: @escaping Job) -> Bool {
        let (isTaken, needsWorker) = state.withLock { state in
            let network = state.networks[sender.network] ?? NetworkLine(tag: state.virtual)
            let line = network.callers[sender.caller] ?? Line(tag: network.virtual)
            let hasRoom = line.jobs.count < room(of: sender) && network.waiting < room(of: sender.network)
            guard hasRoom || isBegun else { return (false, false) }
            // Nobody saves up turns.
            if network.isIdle { network.tag = max(network.tag, state.virtual) }
            if line.isIdle { line.tag = max(line.tag, network.virtual) }
            line.jobs.add(job)
            network.waiting += 1
            state.waiting += 1
            network.callers[sender.caller] = line
            state.networks[sender.network] = network
            return (true, addWorker(&state))
        }
        // Each takes the job whose turn it is, which may be another one, or none if all who wait have what they may have.
        if needsWorker { pool.run { [self] in work() } }
        return isTaken
    }

    /// Whether one more thread is to take jobs.
    private func addWorker(_ state: inout State) -> Bool {
        guard state.waiting > 0, state.workers < limit else { return false }
        state.workers += 1
        return true
    }

    private func work() {
        while let (sender, job) = state.withLock({ next(&$0) }) {
            let began = FairWorkers.processorTime
            let bytes = job()
            let cost =
                max(FairWorkers.processorTime - began, FairWorkers.estimate) + Double(bytes) * FairWorkers.costOfByte
            // The end of one may allow two that have waited for it.
            let needsWorker = state.withLock { state in
                end(sender, cost, &state)
                return addWorker(&state)
            }
            if needsWorker { pool.run { [self] in work() } }
        }
    }

    /// A job; nil if the thread is to end, because none may run.
    private func next(_ state: inout State) -> (Sender, Job)? {
        let next = take(&state)
        if next == nil { state.workers -= 1 }
        return next
    }

    /// The job whose turn it is.
    private func take(_ state: inout State) -> (Sender, Job)? {
        guard state.waiting > 0 else { return nil }
        var best: (sender: Sender, network: NetworkLine, line: Line)?
        for (key, network) in state.networks where network.waiting > 0 {
            guard network.running < threads(of: key) else {
                // It has what it may have, and saves up nothing.
                network.tag = max(network.tag, state.virtual)
                continue
            }
            guard best.map({ network.tag < $0.network.tag }) ?? true else { continue }
            var next: (caller: Sender.Caller, line: Line)?
            for (caller, line) in network.callers where mayRun(line, caller, state) {
                if next.map({ line.tag < $0.line.tag }) ?? true { next = (caller, line) }
            }
            if let (caller, line) = next { best = (Sender(network: key, caller: caller), network, line) }
        }
        guard let (sender, network, line) = best, let job = line.jobs.take() else { return nil }
        state.virtual = max(state.virtual, network.tag)
        network.virtual = max(network.virtual, line.tag)
        line.tag += FairWorkers.estimate
        line.running += 1
        network.tag += FairWorkers.estimate
        network.running += 1
        network.waiting -= 1
        state.waiting -= 1
        state.running += 1
        if sender.caller == .stranger { state.strangers += 1 }
        return (sender, job)
    }

    private func mayRun(_ line: Line, _ caller: Sender.Caller, _ state: State) -> Bool {
        guard line.jobs.count > 0 else { return false }
        switch caller {
        case .stranger: return state.strangers < max(1, limit / 2)
        case .files: return line.running < max(1, limit / 2)
        case .known: return line.running < max(1, limit / 4)
        }
    }

    private func end(_ sender: Sender, _ cost: Double, _ state: inout State) {
        let more = cost - FairWorkers.estimate
        state.running -= 1
        if sender.caller == .stranger { state.strangers -= 1 }
        if let network = state.networks[sender.network], let line = network.callers[sender.caller] {
            (network.tag, line.tag) = (network.tag + more, line.tag + more)
            (network.running, line.running) = (network.running - 1, line.running - 1)
        }
        // Nobody waits for anybody.
        guard state.running > 0 || state.waiting > 0 else { return state = State(workers: state.workers) }
        state.ended += 1
        if state.ended.isMultiple(of: 256) { forget(&state) }
    }

    /// Forgets those who are not ahead of the others; if there are very many, all who have nothing to do.
    private func forget(_ state: inout State) {
        let virtual = state.virtual
        let isCrowded = state.networks.count > 10_000
        state.networks = state.networks.filter { !$0.value.isIdle || !isCrowded && $0.value.tag > virtual }
        for network in state.networks.values {
            let isCrowded = network.callers.count > 1_000
            network.callers = network.callers.filter {
                !$0.value.isIdle || !isCrowded && $0.value.tag > network.virtual
            }
        }
    }

    private func threads(of network: String) -> Int { network.isEmpty ? limit : max(1, limit / 2) }

    private func room(of network: String) -> Int {
        network.isEmpty ? FairWorkers.roomOfMachine : FairWorkers.roomOfNetwork
    }

    private func room(of sender: Sender) -> Int {
        switch sender.caller {
        case .known: FairWorkers.roomOfCaller
        // There is room left for those who are known.
        case .stranger, .files: room(of: sender.network) * 3 / 4
        }
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
