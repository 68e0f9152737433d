/// The fields of a record, in the order of their names, which are ASCII.
///
/// Those of a record from the store are decoded when they are used. Otherwise they are two arrays, because a record has few fields and is
/// read far more often than changed.
package struct Fields: Sendable {
    /// The fields as the store keeps them; nil if they were changed, or decoded at once.
    private var encoded: EncodedFields?
    private var decodedNames: [String] = []
    private var decodedValues: [FieldValue] = []

    package init() {}

    package init(capacity: Int) {
        decodedNames.reserveCapacity(capacity)
        decodedValues.reserveCapacity(capacity)
    }

    init(_ encoded: EncodedFields) { self.encoded = encoded }

    /// Decodes all fields, if that was not done yet. Call this before many uses.
    package mutating func decode() {
        guard let encoded else { return }
        (decodedNames, decodedValues) = encoded.decoded
        self.encoded = nil
    }

    package var names: [String] { encoded?.decoded.names ?? decodedNames }
    package var values: [FieldValue] { encoded?.decoded.values ?? decodedValues }
    package var count: Int { encoded?.count ?? decodedNames.count }

    /// The value of a field; nil removes it.
    package subscript(name: String) -> FieldValue? {
        get {
            if let encoded { return encoded[name] }
            let position = position(of: name)
            return hasName(name, at: position) ? decodedValues[position] : nil
        }
        set {
            decode()
            let position = position(of: name)
            switch (newValue, hasName(name, at: position)) {
            case (let value?, true): decodedValues[position] = value
            case (let value?, false) where position == decodedNames.count:
                decodedNames.append(name)
                decodedValues.append(value)
            case (let value?, false):
                ReadingSteps.take(decodedNames.count - position)
                decodedNames.insert(name, at: position)
                decodedValues.insert(value, at: position)
            case (nil, true):
                decodedNames.remove(at: position)
                decodedValues.remove(at: position)
            case (nil, false): break
            }
        }
    }

    /// The bytes of all names and values.
    package var size: Int {
        encoded?.size ?? decodedNames.reduce(0) { $0 + $1.utf8.count } + decodedValues.reduce(0) { $0 + $1.size }
    }

    private func hasName(_ name: String, at position: Int) -> Bool {
        position < decodedNames.count && decodedNames[position] == name
    }

    /// The position of a name among the names, or where it would be inserted. Fields are read in order, so each comes after the
    /// last one.
    private func position(of name: String) -> Int {
        guard let last = decodedNames.last, name <= last else { return decodedNames.count }
        var range = 0..<decodedNames.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = decodedNames[middle] < name ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension Fields: Sequence {
    package typealias Element = (name: String, value: FieldValue)

    package func makeIterator() -> some IteratorProtocol<Element> {
        let (names, values) = encoded?.decoded ?? (decodedNames, decodedValues)
        return zip(names, values).lazy.map { (name: $0, value: $1) }.makeIterator()
    }
}

extension Fields: Hashable {
    package static func == (left: Fields, right: Fields) -> Bool {
        left.count == right.count && left.names == right.names && left.values == right.values
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(names)
        hasher.combine(values)
    }
}
