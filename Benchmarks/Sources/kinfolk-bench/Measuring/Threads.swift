import Glibc

/// Concurrent work on several threads.
enum Threads {
    /// Runs `body` on this number of threads, and returns the seconds until all have finished.
    static func time(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws -> Double {
        let start = Start(waiting: count + 1)
        var threads: [(id: pthread_t, work: Work)] = []
        for index in 0..<count {
            let work = Work(index, start, body)
            var id = pthread_t()
            let argument = Unmanaged.passUnretained(work).toOpaque()
            let code = pthread_create(
                &id,
                nil,
                { argument in
                    argument.map { Unmanaged<Work>.fromOpaque($0).takeUnretainedValue().run() }
                    return nil
                },
                argument
            )
            guard code == 0 else { throw Failure("A thread cannot be made.") }
            threads.append((id, work))
        }
        let seconds = Stopwatch.wall.time {
            start.wait()
            for thread in threads { pthread_join(thread.id, nil) }
        }
        if let failure = threads.lazy.compactMap(\.work.failure).first { throw failure }
        return seconds
    }

    /// The work of one thread.
    private final class Work {
        private let index: Int
        private let start: Start
        private let body: @Sendable (Int) throws -> Void
        private(set) var failure: (any Error)?

        init(_ index: Int, _ start: Start, _ body: @escaping @Sendable (Int) throws -> Void) {
            self.index = index
            self.start = start
            self.body = body
        }

        func run() {
            start.wait()
            do { try body(index) } catch { failure = error }
        }
    }

    /// A barrier, at which each thread waits for all others.
    private final class Start {
        private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

        init(waiting count: Int) { pthread_barrier_init(barrier, nil, UInt32(count)) }

        deinit {
            pthread_barrier_destroy(barrier)
            barrier.deallocate()
        }

        func wait() { pthread_barrier_wait(barrier) }
    }
}
