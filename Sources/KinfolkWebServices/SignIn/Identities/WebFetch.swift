/// A request of the service to a provider of identities.
public struct WebFetch: Sendable {
    public let url: String
    /// The fields of a form to post, already encoded; nil for a GET.
    public let form: String?
    /// The name and the password for the scheme Basic (RFC 7617); nil if there are none.
    public let user: (name: String, password: String)?

    init(_ url: String, form: String? = nil, user: (name: String, password: String)? = nil) {
        self.url = url
        self.form = form
        self.user = user
    }
}
