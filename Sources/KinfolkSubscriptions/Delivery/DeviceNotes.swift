package import KinfolkModel
import KinfolkThreads

/// What a service knows of the devices that use it: when they were last noted in the store, and which of them the store had forgotten.
package final class DeviceNotes: Sendable {
    private struct State {
        /// The devices that this service has seen in the store, and when it last noted there that they are in use.
        var registered: [RandomID: UInt64] = [:]
        /// Those that were gone and were made again, and the notification by which they were told that; the highest number before.
        var lost: [RandomID: Int64] = [:]
        /// When the devices of all watches are kept next.
        var roundDue: UInt64 = 0

        mutating func note(_ device: RandomID, at now: UInt64) {
            if registered.count >= DeviceNotes.limit { registered = [:] }
            registered[device] = now
        }
    }

    /// After how many nanoseconds a device is noted to be in use.
    private static let interval: UInt64 = 3_600_000_000_000
    /// After how many nanoseconds all watches are walked for that.
    private static let roundInterval: UInt64 = 60_000_000_000
    /// The most devices that are remembered.
    private static let limit = 100_000

    private let state = Lock(State())

    // MARK: Devices in the store

    /// Notes that a device was registered. If it was so before, it had been forgotten, and its session is told.
    ///
    /// - Parameter isNew: Whether the store did not have it. If this service has seen it there, notifications were dropped.
    package func noteRegistered(_ device: RandomID, isNew: Bool, named name: String?) {
        state.withLock { state in
            let isLost = isNew && (name != nil || state.registered[device] != nil)
            state.note(device, at: Deadline.now)
            guard isLost else { return }
            // Of devices that never ask again, something would stay forever.
            if state.lost.count >= DeviceNotes.limit { state.lost = [:] }
            state.lost[device] = .max
        }
    }

    /// Whether it is time to note in the store that a device is in use. Then it counts as noted.
    func isDue(_ device: RandomID) -> Bool {
        state.withLock { state in
            let now = Deadline.now
            if let last = state.registered[device], now - last < DeviceNotes.interval { return false }
            state.note(device, at: now)
            return true
        }
    }

    /// Whether it is time to ask this of the devices of all watches: there may be thousands, and each is due once in a long time.
    func isRoundDue(_ now: UInt64) -> Bool {
        state.withLock { state in
            guard now >= state.roundDue else { return false }
            state.roundDue = now + DeviceNotes.roundInterval
            return true
        }
    }

    // MARK: Devices that were forgotten

    /// Whether a device is to be told that it was forgotten, until it has acknowledged that.
    package func isLost(_ device: RandomID) -> Bool { state.withLock { $0.lost[device] != nil } }

    /// Notes by which notification a device was told that; nil if it has not taken it.
    func noteLossTold(_ device: RandomID, by number: Int64?) {
        state.withLock { if $0.lost[device] != nil { $0.lost[device] = number ?? .max } }
    }

    /// Notes that a device has acknowledged a notification.
    ///
    /// - Parameter isDropped: Whether it tells that some were dropped.
    func noteAcknowledged(_ number: Int64, isDropped: Bool, by device: RandomID) {
        state.withLock { state in
            guard let told = state.lost[device], number > told || isDropped && number == told else { return }
            state.lost[device] = nil
        }
    }
}
