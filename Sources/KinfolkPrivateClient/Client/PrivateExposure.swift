/// What a private discovery reveals to both sides, for tests and demonstrations.
package struct PrivateExposure: Sendable {
    /// The epoch that answers; 0 before the server has named it.
    package var epoch: UInt32 = 0
    /// How many bits identify a bucket.
    package var prefixBits = 0
    /// How many points the server evaluated: new contacts and fillers.
    package var points = 0
    /// How many points the server evaluated without permits, because they were paid for in another epoch.
    package var renewals = 0
    /// How many buckets the client requested.
    package var buckets = 0
    /// How many rows the client received.
    package var rows = 0
}
