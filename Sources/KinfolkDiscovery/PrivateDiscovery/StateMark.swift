import KinfolkPrivateClient

/// The first bytes of the states that callers keep between discoveries. A command tells by them which file it may replace.
package enum StateMark {
    /// Whether bytes begin as the state of a discovery does: a private one, or one by the server.
    package static func isOf(private isPrivate: Bool, _ bytes: [UInt8]) -> Bool {
        isPrivate ? ClientState.isMarked(bytes) : SyncState.isMarked(bytes)
    }
}
