/// The fields of a record, in the order of their names, which are ASCII.
///
/// Stored as two arrays, because a record has few fields and is read far more often than changed.
package struct Fields: Sendable, Hashable {
    package private(set) var names: [String] = []
    package private(set) var values: [FieldValue] = []

    package init() {}

    package init(capacity: Int) {
        names.reserveCapacity(capacity)
        values.reserveCapacity(capacity)
    }

    /// The value of a field; nil removes it.
    package subscript(name: String) -> FieldValue? {
        get {
            let position = position(of: name)
            return hasName(name, at: position) ? values[position] : nil
        }
        set {
            let position = position(of: name)
            switch (newValue, hasName(name, at: position)) {
            case (let value?, true): values[position] = value
            case (let value?, false) where position == names.count:
                names.append(name)
                values.append(value)
            case (let value?, false):
                ReadingSteps.take(names.count - position)
                names.insert(name, at: position)
                values.insert(value, at: position)
            case (nil, true):
                names.remove(at: position)
                values.remove(at: position)
            case (nil, false): break
            }
        }
    }

    /// The bytes of all names and values.
    package var size: Int { names.reduce(0) { $0 + $1.utf8.count } + values.reduce(0) { $0 + $1.size } }

    private func hasName(_ name: String, at position: Int) -> Bool {
        position < names.count && names[position] == name
    }

    /// The position of a name among the names, or where it would be inserted. Fields are read in order, so each comes after the
    /// last one.
    private func position(of name: String) -> Int {
        guard let last = names.last, name <= last else { return names.count }
        var range = 0..<names.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = names[middle] < name ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
