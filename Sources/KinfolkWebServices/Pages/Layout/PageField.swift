/// A field of a form for one line of text.
struct PageField {
    /// Its identifier, and the name under which it is sent.
    let id: StaticString
    let label: PageText
    var labelValues: [String: String] = [:]
    var hint: PageText?
    /// What it holds at first.
    var value: String?
    /// The kind of value that the browser can fill in (HTML Standard, 4.10.18.7).
    var autocomplete: StaticString = "off"
    var inputMode: StaticString?
    /// Which letters an on-screen keyboard makes capital.
    var capitals: StaticString?
    var pattern: StaticString?
    var isRequired = true
    var style: StaticString?
}
