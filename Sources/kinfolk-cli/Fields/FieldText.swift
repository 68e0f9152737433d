import Kinfolk

/// The text of a field's value, to be parsed as one of the types.
struct FieldText {
    private let text: String
    private let owner: String

    /// - Parameter owner: What has the value, for errors: "the field title".
    init(_ text: String, of owner: String) {
        self.text = text
        self.owner = owner
    }

    func value(of type: FieldType) throws(KinfolkError) -> FieldValue {
        guard type == .bytes || type == .bytesList || !CarriedBytes.areIn(text) else { throw malformed("UTF-8") }
        return switch type {
        case .string: .string(text)
        case .int64: .int64(try int64(text))
        case .double: .double(try double(text))
        case .boolean: .boolean(try boolean(text))
        case .bytes: .bytes(try bytes(text))
        case .date: .date(try date(text))
        case .location: .location(try location(text))
        case .reference: .reference(try Reference(text: text))
        case .stringList: .stringList(elements(","))
        case .int64List: .int64List(try list(int64))
        case .doubleList: .doubleList(try list(double))
        case .booleanList: .booleanList(try list(boolean))
        case .bytesList: .bytesList(try list(bytes))
        case .dateList: .dateList(try list(date))
        case .locationList: .locationList(try list(separator: ";", location))
        case .referenceList: .referenceList(try list { (text) throws(KinfolkError) in try Reference(text: text) })
        case .asset, .assetList:
            throw KinfolkError(
                .invalidArgument,
                "The value of \(owner) cannot be a file here: \"kinfolk asset save\" stores files."
            )
        }
    }

    private func int64(_ text: String) throws(KinfolkError) -> Int64 {
        guard let number = Int64(text) else { throw malformed("a whole number of 64 bits") }
        return number
    }

    private func double(_ text: String) throws(KinfolkError) -> Double {
        guard let number = Double(text) else { throw malformed("a number") }
        return number
    }

    private func boolean(_ text: String) throws(KinfolkError) -> Bool {
        guard let value = Bool(text) else { throw malformed("true or false") }
        return value
    }

    private func bytes(_ text: String) throws(KinfolkError) -> [UInt8] {
        // Hexadecimal digits never begin with @.
        if text.hasPrefix("@") {
            return try File.read(CarriedBytes.path(String(text.dropFirst())), limit: Record.maximumSize)
        }
        guard let bytes = Hexadecimal.bytes(text.lowercased().utf8) else {
            throw malformed("hexadecimal digits in pairs")
        }
        return bytes
    }

    private func date(_ text: String) throws(KinfolkError) -> Timestamp {
        guard let moment = RFC3339(text) else { throw malformed("a date like 2026-01-31T12:00:00Z") }
        return moment.timestamp
    }

    private func location(_ text: String) throws(KinfolkError) -> Location {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else {
            throw malformed("a latitude, a comma and a longitude")
        }
        return try Location(latitude: latitude, longitude: longitude)
    }

    private func list<Element>(
        separator: Character = ",",
        _ element: (String) throws(KinfolkError) -> Element
    ) throws(KinfolkError) -> [Element] {
        var list: [Element] = []
        for part in elements(separator) { list.append(try element(part)) }
        return list
    }

    /// The parts of a list. A backslash escapes the character after it.
    private func elements(_ separator: Character) -> [String] {
        guard !text.isEmpty else { return [] }
        var elements = [""]
        var isKept = false
        for character in text {
            if !isKept && character == separator {
                elements.append("")
            } else if !isKept && character == "\\" {
                isKept = true
                continue
            } else {
                elements[elements.count - 1].append(character)
            }
            isKept = false
        }
        return elements
    }

    private func malformed(_ expected: String) -> KinfolkError {
        KinfolkError(.invalidArgument, "The value of \(owner) is not \(expected).")
    }
}
