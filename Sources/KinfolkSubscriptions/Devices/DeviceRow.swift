package import KinfolkModel

/// A device as it is in the store.
package struct DeviceRow: Sendable {
    package let id: RandomID
    /// Nil for a session without a name.
    package let name: String?
    /// The last notification that it has acknowledged.
    package let acknowledged: Int64
}
