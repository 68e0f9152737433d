/// The URL of a page, and what its forms send back to the flow that shows it.
struct PagePlace: Sendable {
    /// The path and query that show this page again by GET. The links to the other languages add `lang` to it.
    let url: String
    /// The path to which the forms are posted.
    let action: String
    /// The sealed state of the sign-in, which each form sends as `flow`. It belongs to one browser, so no other site can make a form. Empty
    /// for a page without forms.
    let flow: String
    /// Whether an application opened the window and waits for a message from it.
    ///
    /// The first page whose `Cross-Origin-Opener-Policy` is not `unsafe-none` ends the connection to the application for good. So
    /// set this on each page of such a sign-in, not only on the last.
    let isOpened: Bool

    init(url: String, action: String? = nil, flow: String = "", isOpened: Bool = false) {
        self.url = url
        self.action = action ?? url
        self.flow = flow
        self.isOpened = isOpened
    }
}
