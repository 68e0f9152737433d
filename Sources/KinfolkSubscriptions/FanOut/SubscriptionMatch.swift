import KinfolkModel
import KinfolkRecords

/// A subscription that a change concerns.
struct SubscriptionMatch {
    let row: SubscriptionRow
    let database: RecordPlace
    let content: NotificationContent
    /// Whether the subscription ends with this notification.
    let isOnce: Bool
}
