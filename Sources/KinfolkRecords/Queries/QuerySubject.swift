package import KinfolkModel

/// A record that is compared with a condition.
///
/// What is computed from long texts is kept, so that a condition with many tests does not compute it for each.
package final class QuerySubject {
    let content: RecordContent
    let place: RecordPlace
    private let remembers: Bool
    private var indexValues: [QueryAttribute: Set<IndexValue>] = [:]
    private var elements: [QueryAttribute: [Set<IndexValue>]] = [:]
    private var orderValues: [QueryAttribute: [OrderValue]] = [:]
    private var texts: [QueryAttribute: [DecomposedText]] = [:]
    private var words: [[String]: Set<Word>] = [:]

    /// - Parameter remembers: Whether the condition has several tests.
    package init(_ content: RecordContent, in place: RecordPlace, remembers: Bool) {
        self.content = content
        self.place = place
        self.remembers = remembers
    }

    func indexValues(of attribute: QueryAttribute) -> Set<IndexValue> {
        if let known = indexValues[attribute] { return known }
        let values = attribute.values(in: content)
        let found = Set(values.count == 1 ? IndexValue.all(of: values[0]) : values.flatMap(IndexValue.all(of:)))
        if remembers { indexValues[attribute] = found }
        return found
    }

    /// The same for each element of a list.
    func indexValuesOfElements(of attribute: QueryAttribute) -> [Set<IndexValue>] {
        if let known = elements[attribute] { return known }
        let found = attribute.values(in: content).map { Set(IndexValue.all(of: $0)) }
        if remembers { elements[attribute] = found }
        return found
    }

    func orderValues(of attribute: QueryAttribute) -> [OrderValue] {
        if let known = orderValues[attribute] { return known }
        let found = attribute.values(in: content).compactMap(OrderValue.init)
        if remembers { orderValues[attribute] = found }
        return found
    }

    func texts(of attribute: QueryAttribute) -> [DecomposedText] {
        if let known = texts[attribute] { return known }
        let found = attribute.values(in: content).compactMap(DecomposedText.init(of:))
        if remembers { texts[attribute] = found }
        return found
    }

    /// The words of some fields.
    func words(of fields: [String]) -> Set<Word> {
        if let known = words[fields] { return known }
        let found = fields.reduce(into: Set<Word>()) { words, field in
            if let value = content.fields[field] { words.formUnion(Word.all(in: value)) }
        }
        if remembers { words[fields] = found }
        return found
    }
}
