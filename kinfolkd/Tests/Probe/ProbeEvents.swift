import KinfolkWebServices
import NIOConcurrencyHelpers

/// A piece every 50 milliseconds, without an end or a given number of them.
final class ProbeEvents: WebEvents {
    private struct State {
        var number = 0
        var isOver = false
        var pending: (@Sendable ([UInt8]?) -> Void)?
    }

    private let count: Int?
    private let state = NIOLockedValueBox(State())

    init(count: Int?) { self.count = count }

    func next(_ completion: @escaping @Sendable ([UInt8]?) -> Void) {
        let number = state.withLockedValue { state -> Int? in
            guard !state.isOver, count.map({ state.number < $0 }) ?? true else { return nil }
            state.number += 1
            state.pending = completion
            return state.number
        }
        guard let number else { return completion(nil) }
        Delay.run(milliseconds: 50) { [self] in take()?(Array("data: \(number)\n\n".utf8)) }
    }

    func cancel() {
        let isFirst = state.withLockedValue { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        Report.line("events cancelled")
        take()?(nil)
    }

    private func take() -> (@Sendable ([UInt8]?) -> Void)? {
        state.withLockedValue { state in
            defer { state.pending = nil }
            return state.pending
        }
    }
}
