/// What a private discovery shows to the two sides, for those who want to see it.
package struct PrivateExposure: Sendable {
    /// Of the directory that answers; 0 before it has said so.
    package var epoch: UInt32 = 0
    /// How many bits name a bucket.
    package var prefixBits = 0
    /// How many points the server evaluated: contacts that were new, and what they were filled up with.
    package var points = 0
    /// How many points the server evaluated for nothing, because they were paid for in another epoch.
    package var renewals = 0
    /// How many buckets the client asked for.
    package var buckets = 0
    /// How many rows it got.
    package var rows = 0
}
