/// The title of a page: its first heading, and what the browser shows.
struct PageTitle {
    let text: PageText
    let values: [String: String]

    init(_ text: PageText, _ values: [String: String] = [:]) {
        self.text = text
        self.values = values
    }
}
