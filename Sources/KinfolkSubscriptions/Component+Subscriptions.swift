package import KinfolkCore
import KinfolkRecords

extension Component {
    /// Subscriptions, and the notifications that they make.
    package static let subscriptions = Component(
        parts: { _ in [NotificationHub(), FanOut()] },
        daily: [{ _, db in try SubscriptionTable.removeUnusedReaders(db) }],
        often: [
            { service in try service.fanOut.startIfNeeded(service) },
            { service in try DeviceExpiry.run(service) },
        ],
        written: [{ service in if service.outbox.mayHaveRows { service.fanOut.start(service) } }]
    )
}
