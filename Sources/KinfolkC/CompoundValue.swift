import Kinfolk

/// An array or a dictionary for the key-value store, with its elements in their order.
struct CompoundValue: Sendable {
    let isDictionary: Bool
    /// The texts are empty in an array.
    let elements: [(text: String, value: PropertyListValue)]
    /// The texts that C has borrowed.
    let texts = TextArena()

    /// - Throws: ``KinfolkError/Code/invalidArgument`` if there is a text twice, or the value is too deep,
    ///   ``KinfolkError/Code/limitExceeded`` if it is too large.
    init(_ parts: [(text: String, element: KeyValueElement)], isDictionary: Bool) throws(KinfolkError) {
        self.isDictionary = isDictionary
        var (depth, size) = (0, 5)
        for part in parts {
            depth = max(depth, part.element.measure.depth)
            size += part.element.measure.size + (isDictionary ? part.text.utf8.count + 4 : 0)
            guard size <= KeyValueStore.maximumSize else {
                throw KinfolkError(.limitExceeded, "A value has at most \(KeyValueStore.maximumSize) bytes.")
            }
        }
        guard depth < PropertyListValue.maximumDepth else {
            throw KinfolkError(
                .invalidArgument,
                "At most \(PropertyListValue.maximumDepth) arrays and dictionaries can be inside each other."
            )
        }
        let elements = parts.map { (text: $0.text, value: $0.element.value) }
        guard isDictionary else {
            self.elements = elements
            return
        }
        guard Set(elements.map(\.text)).count == elements.count else {
            throw KinfolkError(.invalidArgument, "A dictionary has each text once.")
        }
        self.elements = elements.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    }

    /// Nil for a value that is neither an array nor a dictionary.
    init?(_ value: PropertyListValue) {
        switch value {
        case .array(let values):
            isDictionary = false
            elements = values.map { ("", $0) }
        case .dictionary(let values):
            isDictionary = true
            elements = values.map { (text: $0.key, value: $0.value) }
                .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        default: return nil
        }
    }

    var value: PropertyListValue {
        guard isDictionary else { return .array(elements.map(\.value)) }
        return .dictionary(Dictionary(elements.map { ($0.text, $0.value) }) { $1 })
    }
}
