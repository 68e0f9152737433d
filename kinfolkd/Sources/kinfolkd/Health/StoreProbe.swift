import Kinfolk
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Finds out whether the store answers. However often it is asked, it reads from the store at most once a second.
final class StoreProbe: Sendable {
    private struct State {
        var isReady = false
        var validUntil = NIODeadline.uptimeNanoseconds(0)
        /// Those who wait for the read in progress; nil if there is none.
        var waiting: [@Sendable (Bool) -> Void]?
    }

    private let service: Service
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let state = NIOLockedValueBox(State())

    init(_ service: Service) {
        self.service = service
        thread.start()
    }

    func check(_ completion: @escaping @Sendable (Bool) -> Void) {
        let (known, mustRead) = state.withLockedValue { state -> (Bool?, Bool) in
            if NIODeadline.now() < state.validUntil { return (state.isReady, false) }
            let mustRead = state.waiting == nil
            state.waiting = (state.waiting ?? []) + [completion]
            return (nil, mustRead)
        }
        if let known { return completion(known) }
        guard mustRead else { return }
        thread.submit { [self] _ in read() }
    }

    private func read() {
        // One row of the settings.
        let isReady = (try? service.claimWait()) != nil
        let waiting = state.withLockedValue { state in
            state.isReady = isReady
            state.validUntil = .now() + .seconds(1)
            defer { state.waiting = nil }
            return state.waiting ?? []
        }
        for completion in waiting { completion(isReady) }
    }
}
