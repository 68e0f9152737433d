/// What is wrong with a form that was sent.
struct PageProblem {
    /// The identifier of the field that the person has to correct; nil if it is none of them.
    let field: StaticString?
    let text: PageText
    let values: [String: String]

    init(_ text: PageText, _ values: [String: String] = [:], in field: StaticString? = nil) {
        self.field = field
        self.text = text
        self.values = values
    }
}
