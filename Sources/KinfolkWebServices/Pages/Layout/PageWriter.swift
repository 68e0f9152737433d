/// Writes the parts of a page that are the same on all of them: elements, forms, fields, buttons and messages.
struct PageWriter {
    var html = HTML()
    let language: PageLanguage
    let texts: PageTexts
    let place: PagePlace

    init(_ language: PageLanguage, _ place: PagePlace) {
        self.language = language
        texts = PageTexts[language]
        self.place = place
    }

    // MARK: Elements

    mutating func element(
        _ name: StaticString,
        _ attributes: HTML.Attributes = [:],
        _ content: (inout PageWriter) -> Void
    ) {
        html.start(name, attributes)
        content(&self)
        html.end(name)
    }

    /// Writes an element that contains a text.
    mutating func text(
        _ name: StaticString,
        _ attributes: HTML.Attributes = [:],
        _ text: PageText,
        _ values: [String: String] = [:]
    ) {
        element(name, attributes) { $0.html.text(text, values) }
    }

    /// Writes an element that contains a text.
    mutating func text(_ name: StaticString, _ text: PageText, _ values: [String: String] = [:]) {
        self.text(name, [:], text, values)
    }

    /// Writes an element that contains a text from outside.
    mutating func outside(_ name: StaticString, _ attributes: HTML.Attributes, _ text: String) {
        element(name, attributes) { page in
            page.element("bdi") { $0.html.text(PlainText.line(text)) }
        }
    }

    mutating func link(_ url: String, _ text: PageText, _ values: [String: String] = [:], style: StaticString? = nil) {
        self.text("a", ["href": url, "class": style?.description], text, values)
    }

    // MARK: Forms

    /// Writes a form that asks for a step.
    mutating func form(_ step: PageStep, _ hidden: HTML.Attributes = [:], _ content: (inout PageWriter) -> Void) {
        element("form", ["method": "post", "action": place.action, "novalidate": ""]) { page in
            page.hidden("step", step.rawValue)
            if !page.place.flow.isEmpty { page.hidden("flow", page.place.flow) }
            page.hidden("lang", page.language.rawValue)
            for (name, value) in hidden { page.hidden(name, value ?? "") }
            content(&page)
        }
    }

    private mutating func hidden(_ name: StaticString, _ value: String) {
        html.start("input", ["type": "hidden", "name": name.description, "value": value])
    }

    mutating func button(
        _ text: PageText,
        style: StaticString? = nil,
        name: StaticString? = nil,
        value: String? = nil
    ) {
        let attributes: HTML.Attributes = [
            "type": "submit", "class": style?.description, "name": name?.description, "value": value,
        ]
        self.text("button", attributes, text)
    }

    /// Writes a button whose spoken name also has the thing that it acts on, because the page has several with the same text.
    ///
    /// - Parameters:
    ///   - id: An identifier for the button.
    ///   - object: The identifier of the element that names the thing.
    mutating func button(_ text: PageText, id: String, object: String) {
        self.text("button", ["type": "submit", "id": id, "aria-labelledby": "\(id) \(object)"], text)
    }

    /// Writes a field with its label, its hint, and what is wrong with it.
    mutating func field(_ field: PageField, _ problem: PageProblem?) {
        let id = field.id.description
        let problem = problem.flatMap { $0.field?.description == id ? $0 : nil }
        let descriptions = [field.hint == nil ? nil : id + "-hint", problem == nil ? nil : id + "-error"].compactMap(
            \.self
        )
        element("div", ["class": "field"]) { page in
            page.text("label", ["for": id], field.label, field.labelValues)
            if let hint = field.hint { page.text("p", ["class": "hint", "id": id + "-hint"], hint) }
            if let problem {
                page.element("p", ["class": "error", "id": id + "-error"]) { page in
                    page.html.text(page.texts.common.error.plain() + " ")
                    page.html.text(problem.text, problem.values)
                }
            }
            page.html.start(
                "input",
                [
                    "type": "text", "id": id, "name": id, "class": field.style?.description, "value": field.value,
                    "autocomplete": field.autocomplete.description, "inputmode": field.inputMode?.description,
                    "autocapitalize": field.capitals?.description, "spellcheck": "false",
                    "pattern": field.pattern?.description, "required": field.isRequired ? "" : nil,
                    "aria-invalid": problem == nil ? nil : "true",
                    "aria-describedby": descriptions.isEmpty ? nil : descriptions.joined(separator: " "),
                ]
            )
        }
    }

    // MARK: Messages

    /// Writes what is wrong, and gives it the focus, so that a screen reader reads it first.
    mutating func summary(_ problem: PageProblem) {
        let attributes: HTML.Attributes = [
            "class": "errors", "role": "alert", "tabindex": "-1", "autofocus": "", "aria-labelledby": "errors-title",
        ]
        element("div", attributes) { page in
            page.text("h2", ["id": "errors-title"], page.texts.common.errorTitle)
            page.element("p") { page in
                guard let field = problem.field else { return page.html.text(problem.text, problem.values) }
                page.link("#" + field.description, problem.text, problem.values)
            }
        }
    }

    /// Writes that something was done.
    mutating func notice(_ text: PageText) {
        element("div", ["class": "notice", "role": "status"]) { $0.text("p", text) }
    }
}
