package import KinfolkAccounts

/// What a valid web auth token gives access to.
package struct AuthenticatedSession: Sendable {
    /// The session of the signed-in account. All requests of one web session have the same device.
    package let session: Session
    /// The web session.
    package let webSession: WebSession
    /// A new web auth token, which replaces the one that was presented. That one is valid for 60 more seconds.
    package let renewed: String?
}
