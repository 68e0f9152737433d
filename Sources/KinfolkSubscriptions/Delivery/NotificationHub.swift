package import KinfolkAccounts
package import KinfolkCore
package import KinfolkModel
import KinfolkStorage
package import KinfolkThreads

/// Delivers notifications to the sessions of this process that wait for some, and lets others look for changes.
///
/// One thread reads for all of them, in one transaction: when this service or another process has written notifications, and once a second in
/// case it was not woken. It runs only while a session waits. If no user has new notifications, it reads no more than that.
package final class NotificationHub: ServicePart {
    /// Takes a notification of the watch with a key. False if it takes no more of them now: it stirs the hub when it does.
    typealias Receiver = @Sendable (SubscriptionNotification, _ key: Int) -> Bool

    private struct State {
        var watches: [Int: NotificationWatch] = [:] { didSet { recipients = nil } }
        /// The watches by their recipients; nil if they are not grouped yet.
        var recipients: [Recipient: [(key: Int, value: NotificationWatch)]]?
        var lookouts: [Int: ZoneLookout] = [:]
        var nextKey = 0
        var threadRuns = false
        var isStirred = false
        var isStopping = false
        /// Whether a function of the host closes the service.
        var isStoppedInside = false
        var signal: StoreSignal?
        /// Whether the thread uses a service now.
        var isLooking = false
        /// The watch whose receiver runs now, or the lookout, and the thread that runs it.
        var calling: Int?
        var thread: UInt = 0
        /// Since when no session waits.
        var idleSince: UInt64?

        var isIdle: Bool { watches.isEmpty && lookouts.isEmpty }
    }

    /// How long it waits if nothing wakes it.
    private static let interval = 1.0
    /// For how many nanoseconds the thread stays when no session waits: one that waits again and again needs no new one each time.
    private static let lingering: UInt64 = 5_000_000_000
    /// How long a receiver that refused a notification is left alone.
    private static let refusal: UInt64 = 1_000_000_000
    /// For how many nanoseconds what was read is delivered. After that it is read again: the user may have lost the right to read a record.
    private static let freshness: UInt64 = 100_000_000
    /// How many notifications are read at once.
    private static let pageSize = 100

    package let devices = DeviceNotes()
    private let acknowledgements = Acknowledgements()
    private let state = Lock(State())
    private let fork = Fork.generation

    package init() {}

    // MARK: Waking

    /// Makes the thread look at once.
    package func stir() {
        guard fork == Fork.generation else { return }
        let signal = state.withLock { state in
            state.isStirred = true
            return state.signal
        }
        signal?.stir()
    }

    package func stop() {
        guard fork == Fork.generation else { return }
        // Removed inside the lock but released outside, as in `end(_:)`.
        let (signal, watches, lookouts) = state.withLock { state in
            state.isStopping = true
            if Thread.isInCallback { state.isStoppedInside = true }
            defer { (state.watches, state.lookouts, state.signal) = ([:], [:], nil) }
            return (state.signal, state.watches, state.lookouts)
        }
        // Ends a wait of the thread, too.
        signal?.close()
        let own = Thread.current
        _ = state.withLock(
            when: { !$0.threadRuns || $0.thread == own || $0.isStoppedInside && $0.calling != nil },
            until: .never
        ) { _ in }
        for watch in watches.values { watch.ended() }
        for lookout in lookouts.values { lookout.ended() }
    }

    package func awaitFunctions() {
        let own = Thread.current
        _ = state.withLock(when: { !$0.threadRuns || $0.thread == own }, until: .never) { _ in }
    }

    package func writePending(of service: Service, until deadline: Deadline?) {
        acknowledgements.write(service, until: deadline)
    }

    // MARK: Acknowledging

    /// Notes from time to time that a device is in use, so that it is not forgotten.
    func keep(_ session: Session) {
        guard session.deviceName == nil, devices.isDue(session.device) else { return }
        acknowledge(0, by: session)
    }

    /// Notes that a device has handled a notification.
    ///
    /// - Parameter key: The watch that delivered it.
    package func acknowledge(_ notification: SubscriptionNotification, by session: Session, of key: Int?) {
        devices.noteAcknowledged(notification.sequence, isDropped: notification.kind == .dropped, by: session.device)
        acknowledge(notification.sequence, by: session, of: key)
    }

    /// Notes what a device has acknowledged. It is written soon, together with others, and when the service closes.
    ///
    /// - Parameter key: The watch that delivered it; nil for a notification that was fetched.
    package func acknowledge(_ number: Int64, by session: Session, of key: Int? = nil) {
        guard let recipient = Recipient(session), fork == Fork.generation else { return }
        // The watch first: if it begins again meanwhile, it rather holds too low a number.
        let watch = key.flatMap { key in state.withLock { $0.watches[key] } }
        watch?.acknowledged.withLock { $0 = max($0, number) }
        acknowledgements.note(number, by: session.device, of: recipient)
    }

    /// What a device has acknowledged that is not written yet.
    package func unwritten(by session: Session) -> Int64 {
        Recipient(session).map { acknowledgements.unwritten(by: session.device, of: $0) } ?? 0
    }

    // MARK: Watches

    /// Delivers the notifications of a session after a number, until the watch is ended.
    ///
    /// - Parameters:
    ///   - first: What is delivered before these.
    ///   - ended: Called when the service closes.
    func watch(
        _ session: Session,
        after seen: Int64,
        first: SubscriptionNotification? = nil,
        ended: @escaping @Sendable () -> Void,
        _ receive: @escaping Receiver
    ) throws(KinfolkError) -> Int {
        guard let recipient = Recipient(session) else { throw Session.nobody }
        let watch = NotificationWatch(session, recipient, seen: seen, first, ended: ended, receive)
        return try begin { $0.watches[$1] = watch }
    }

    /// Looks out for changes of a reserved zone, until that is ended.
    func begin(_ lookout: ZoneLookout) throws(KinfolkError) -> Int { try begin { $0.lookouts[$1] = lookout } }

    private func begin(_ add: (inout State, _ key: Int) -> Void) throws(KinfolkError) -> Int {
        let (key, needsThread) = try state.withLock { state throws(KinfolkError) in
            guard !state.isStopping else { throw KinfolkError(StorageError(.closed)) }
            let key = state.nextKey
            state.nextKey += 1
            add(&state, key)
            state.isStirred = true
            defer { state.threadRuns = true }
            return (key, !state.threadRuns)
        }
        if needsThread && !Thread.start({ [self] in run() }) {
            state.withLock { state in
                state.threadRuns = false
                (state.watches[key], state.lookouts[key]) = (nil, nil)
            }
            throw KinfolkError(.serviceUnavailable, "The system could not start a thread.")
        }
        stir()
        return key
    }

    /// Ends a watch or a lookout. Its function is not running when this returns, unless the call comes from it.
    package func end(_ key: Int) {
        guard fork == Fork.generation else { return }
        // Removed inside the lock but released outside: releasing the receiver may end another watch.
        let ended = state.withLock { ($0.watches.removeValue(forKey: key), $0.lookouts.removeValue(forKey: key)) }
        let own = Thread.current
        // After the last one, the thread has let the service go, so that it can be closed.
        _ = state.withLock(
            when: { $0.thread == own || $0.calling != key && !($0.isIdle && $0.isLooking) },
            until: .never
        ) { _ in }
        if let watch = ended.0 { acknowledgements.write(watch.session.service, until: nil) }
        stir()
    }

    // MARK: The thread

    private func run() {
        state.withLock { $0.thread = Thread.current }
        while round() { wait() }
    }

    /// Looks for what is new.
    ///
    /// - Returns: Whether to go on. Otherwise the thread has ended.
    private func round() -> Bool {
        let (service, isOver): (Service?, Bool) = state.withLock { state in
            state.isStirred = false
            if !state.isStopping {
                if let session = state.watches.first?.value.session ?? state.lookouts.first?.value.session {
                    (state.isLooking, state.idleSince) = (true, nil)
                    return (session.service, false)
                }
                let now = Deadline.now
                let since = state.idleSince ?? now
                state.idleSince = since
                if now - since < NotificationHub.lingering { return (nil, false) }
            }
            // Before the thread counts as ended.
            state.signal?.close()
            (state.signal, state.idleSince, state.threadRuns, state.thread) = (nil, nil, false, 0)
            return (nil, true)
        }
        if let service { look(service) }
        return !isOver
    }

    /// Waits until there may be something new.
    private func wait() {
        // Nothing of the round is left that holds the service.
        let signal = state.withLock { state in
            state.isLooking = false
            return state.isStirred || state.isStopping ? nil : state.signal
        }
        let deadline = Deadline(in: NotificationHub.interval)
        if let signal {
            signal.wait(until: deadline)
        } else {
            _ = state.withLock(
                when: { $0.isStirred || $0.isStopping },
                until: deadline
            ) { _ in }
        }
    }

    /// Delivers what is new. If the store cannot be read now, the next round reads it.
    private func look(_ service: Service) {
        if state.withLock({ $0.signal == nil }), let signal = try? service.store.makeSignal() {
            state.withLock { $0.signal = signal }
        }
        defer {
            acknowledgements.write(service, until: Deadline(in: 2))
            try? service.fanOut.startIfNeeded(service)
        }
        let (watches, lookouts) = state.withLock { ($0.watches, $0.lookouts) }
        let sights = lookouts.isEmpty ? [:] : ZoneLookout.sights(of: lookouts, service)
        for (key, sight) in sights { if let lookout = lookouts[key] { call(lookout, sight, key) } }
        let now = Deadline.now
        if devices.isRoundDue(now) { for watch in watches.values { keep(watch.session) } }
        let recipients = recipients(of: watches)
        guard !recipients.isEmpty else { return }
        guard let lasts = try? service.store.read({ db in try NotificationHub.lasts(of: recipients.keys, db) }) else {
            return
        }
        for (recipient, all) in recipients {
            let last = lasts[recipient] ?? 0
            // For most there is nothing new.
            guard all.contains(where: { !$0.value.isQuiet(at: last) }) else { continue }
            let group = all.filter { key, watch in
                guard watch.pausedUntil.withLock({ $0 <= now }) else { return false }
                guard let first = watch.first.withLock({ $0 }) else { return true }
                guard offer(first, to: watch, key) else { return false }
                watch.first.withLock { $0 = nil }
                return true
            }
            // The store was replaced by an older one, perhaps from before the device.
            for (_, watch) in group where watch.seen.withLock({ $0 > last }) { beginAgain(watch, service) }
            if group.contains(where: { $0.value.seen.withLock { $0 } < last }) { deliver(to: group, service) }
        }
    }

    /// The watches by their recipients. They are grouped again only when a watch has begun or ended.
    private func recipients(of watches: [Int: NotificationWatch]) -> [Recipient: [(key: Int, value: NotificationWatch)]]
    {
        state.withLock { state in
            if let recipients = state.recipients { return recipients }
            let recipients = Dictionary(grouping: watches.map { $0 }, by: \.value.recipient)
            // Others may have begun since.
            if state.watches.count == watches.count, state.watches.keys == watches.keys {
                state.recipients = recipients
            }
            return recipients
        }
    }

    private func call(_ lookout: ZoneLookout, _ sight: ZoneLookout.Sight, _ key: Int) {
        guard lookout.isDue(after: sight) else { return }
        func isLive() -> Bool { state.withLock { $0.lookouts[key] != nil && !$0.isStopping } }
        let isThere = state.withLock { state in
            guard state.lookouts[key] != nil, !state.isStopping else { return false }
            state.calling = key
            return true
        }
        guard isThere else { return }
        let hasMore = Thread.callBack { lookout.look(sight, isLive) }
        state.withLock { state in
            state.calling = nil
            // After the others had their turn.
            if hasMore { state.isStirred = true }
        }
    }

    /// Begins with the first notification that waits; or, if the device was forgotten, with those from now on, after telling that.
    private func beginAgain(_ watch: NotificationWatch, _ service: Service) {
        guard let (acknowledged, isLost) = try? watch.session.registerDevice() else { return }
        // What is not written yet may be a number that another notification gets now.
        acknowledgements.forget(by: watch.session.device, of: watch.recipient)
        for number in [watch.delivered, watch.acknowledged, watch.seen] { number.withLock { $0 = acknowledged } }
        guard isLost else { return }
        let dropped = try? service.store.read { db in
            try NotificationReading(watch.session, db).dropped(through: acknowledged)
        }
        watch.first.withLock { $0 = dropped }
        state.withLock { $0.isStirred = true }
    }

    /// The numbers of the last notifications of recipients, if they have any.
    private static func lasts(of recipients: some Sequence<Recipient>, _ db: Connection) throws -> [Recipient: Int64] {
        var found: [Recipient: Int64] = [:]
        for (container, list) in Dictionary(grouping: recipients, by: \.container) {
            for (record, count) in try NotificationCountTable.counts(for: list.map(\.record), in: container, db) {
                found[Recipient(container: container, record: record)] = count.last
            }
        }
        return found
    }

    /// Delivers to the sessions of one user. What the records hold is read once for all of them.
    private func deliver(to group: [(key: Int, value: NotificationWatch)], _ service: Service) {
        guard let first = group.first?.value else { return }
        var group = group
        while !group.isEmpty {
            let start = group.map { $0.value.seen.withLock { $0 } }.min() ?? 0
            let page: ([NotificationReading.Found], dropped: SubscriptionNotification?, isLast: Bool, last: Int64)
            let devices: Set<RandomID>
            do {
                (page, devices) = try service.store.read { db in
                    let reading = try NotificationReading(first.session, db)
                    let count = try reading.count()
                    let dropped = start < count.forgotten ? try reading.dropped(through: count.forgotten) : nil
                    let found = try reading.next(
                        after: max(start, dropped?.sequence ?? 0),
                        limit: NotificationHub.pageSize
                    )
                    let isLast = found.count < NotificationHub.pageSize && !reading.isFull
                    let last = isLast ? max(count.last, start) : found.last?.number ?? start
                    return ((found, dropped, isLast, last), try reading.devices())
                }
            } catch {
                // A suspended user waits, and an erased one is told nothing any more.
                let later = Deadline.now + NotificationHub.refusal
                for (_, watch) in group { watch.pausedUntil.withLock { $0 = later } }
                return
            }
            let end = Deadline.now + NotificationHub.freshness
            group = group.filter { key, watch in
                guard devices.contains(watch.session.device) else {
                    beginAgain(watch, service)
                    return false
                }
                return deliver(page.0, page.dropped, through: page.last, until: end, to: watch, key)
                    && (!page.isLast || watch.seen.withLock { $0 } < page.last)
            }
            guard state.withLock({ !$0.isStopping }) else { return }
        }
    }

    /// - Returns: Whether the receiver takes more.
    private func deliver(
        _ page: [NotificationReading.Found],
        _ dropped: SubscriptionNotification?,
        through last: Int64,
        until end: UInt64,
        to watch: NotificationWatch,
        _ key: Int
    ) -> Bool {
        var seen = watch.seen.withLock { $0 }
        if let dropped, seen < dropped.sequence {
            guard offer(dropped, to: watch, key) else { return false }
            seen = dropped.sequence
            watch.seen.withLock { $0 = seen }
        }
        for (index, found) in page.enumerated() where found.number > seen {
            // The first one is always delivered, so that each reading makes progress.
            if index > 0, Deadline.now >= end { return true }
            if found.origin != watch.session.device, let notification = found.notification {
                guard offer(notification, to: watch, key) else { return false }
            }
            seen = found.number
            watch.seen.withLock { $0 = seen }
        }
        watch.seen.withLock { $0 = max($0, last) }
        // What was not for this device needs no acknowledgement of the application's.
        if !page.isEmpty, watch.isAcknowledged { acknowledge(seen, by: watch.session, of: key) }
        return true
    }

    private func offer(_ notification: SubscriptionNotification, to watch: NotificationWatch, _ key: Int) -> Bool {
        let isThere = state.withLock { state in
            guard state.watches[key] != nil, !state.isStopping else { return false }
            state.calling = key
            return true
        }
        guard isThere else { return false }
        let isLoss = notification.kind == .dropped
        if isLoss { devices.noteLossTold(watch.session.device, by: notification.sequence) }
        let isTaken = Thread.callBack { watch.receive(notification, key) }
        if isLoss && !isTaken { devices.noteLossTold(watch.session.device, by: nil) }
        state.withLock { $0.calling = nil }
        if isTaken { watch.delivered.withLock { $0 = max($0, notification.sequence) } }
        if !isTaken { watch.pausedUntil.withLock { $0 = Deadline.now + NotificationHub.refusal } }
        return isTaken
    }
}

extension Service {
    package var hub: NotificationHub { part(NotificationHub.self) }
}
