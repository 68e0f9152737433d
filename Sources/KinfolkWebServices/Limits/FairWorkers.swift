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
        private var jobs: [Job] = []
        private var next = 0

        init(tag: Double) { self.tag = tag }

        var waiting: Int { jobs.count - next }
        var isIdle: Bool { waiting == 0 && running == 0 }

        func add(_ job: @escaping Job) { jobs.append(job) }

        func take() -> Job {
            let job = jobs[next]
            jobs[next] = { 0 }
            next += 1
            if next == jobs.count { (jobs, next) = ([], 0) }
            return job
        }
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
    /// - Returns: False if too many of the sender wait already.
    func run(for sender: Sender, _ job: @escaping Job) -> Bool {
        let isTaken = state.withLock { state in
            let network = state.networks[sender.network] ?? NetworkLine(tag: state.virtual)
            let line = network.callers[sender.caller] ?? Line(tag: network.virtual)
            guard line.waiting < room(of: sender), network.waiting < room(of: sender.network) else { return false }
            // Nobody saves up turns.
            if network.isIdle { network.tag = max(network.tag, state.virtual) }
            if line.isIdle { line.tag = max(line.tag, network.virtual) }
            line.add(job)
            network.waiting += 1
            state.waiting += 1
            network.callers[sender.caller] = line
            state.networks[sender.network] = network
            return true
        }
        // Each takes the job whose turn it is, which may be another one, or none if all who wait have what they may have.
        if isTaken { pool.run { [self] in work() } }
        return isTaken
    }

    private func work() {
        while let (sender, job) = state.withLock({ take(&$0) }) {
            let began = FairWorkers.processorTime
            let bytes = job()
            let cost =
                max(FairWorkers.processorTime - began, FairWorkers.estimate) + Double(bytes) * FairWorkers.costOfByte
            state.withLock { end(sender, cost, &$0) }
        }
    }

    /// The job whose turn it is.
    private func take(_ state: inout State) -> (Sender, Job)? {
        guard state.waiting > 0 else { return nil }
        var best: (sender: Sender, network: NetworkLine, line: Line)?
        for (key, network) in state.networks where network.waiting > 0 && network.running < threads(of: key) {
            guard best.map({ network.tag < $0.network.tag }) ?? true else { continue }
            let callers = network.callers.filter { mayRun($0.value, $0.key, state) }
            guard let (caller, line) = callers.min(by: { $0.value.tag < $1.value.tag }) else { continue }
            best = (Sender(network: key, caller: caller), network, line)
        }
        guard let (sender, network, line) = best else { return nil }
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
        return (sender, line.take())
    }

    private func mayRun(_ line: Line, _ caller: Sender.Caller, _ state: State) -> Bool {
        guard line.waiting > 0 else { return false }
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
        guard state.running > 0 || state.waiting > 0 else { return state = State() }
        state.ended += 1
        if state.ended.isMultiple(of: 256) { forget(&state) }
    }

    /// Forgets those who are not ahead of the others.
    private func forget(_ state: inout State) {
        let virtual = state.virtual
        state.networks = state.networks.filter { !$0.value.isIdle || $0.value.tag > virtual }
        for network in state.networks.values {
            network.callers = network.callers.filter { !$0.value.isIdle || $0.value.tag > network.virtual }
        }
    }

    private func threads(of network: String) -> Int { network.isEmpty ? limit : max(1, limit / 2) }

    private func room(of network: String) -> Int {
        network.isEmpty ? FairWorkers.roomOfMachine : FairWorkers.roomOfNetwork
    }

    private func room(of sender: Sender) -> Int {
        switch sender.caller {
        case .known: FairWorkers.roomOfCaller
        case .stranger, .files: room(of: sender.network)
        }
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
