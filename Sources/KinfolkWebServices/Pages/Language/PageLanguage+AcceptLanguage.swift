extension PageLanguage {
    /// The language that a browser's `Accept-Language` (RFC 9110, 12.5.4) prefers; nil if it accepts none of ours.
    ///
    /// A range such as `de-AT` also accepts `de` (RFC 4647, 3.4). Elements that are not valid are ignored. The time grows in
    /// proportion to the length of the header.
    static func best(in acceptLanguage: String) -> PageLanguage? {
        var preferences: [PageLanguage: Preference] = [:]
        var others = Preference(weight: 0, position: .max)
        for (position, element) in acceptLanguage.utf8.split(separator: UInt8(ascii: ",")).enumerated() {
            guard let (range, weight) = parts(of: element) else { continue }
            let preference = Preference(weight: weight, position: position)
            if range.elementsEqual("*".utf8) {
                others = max(others, preference)
            } else if let language = PageLanguage(tag: range) {
                preferences[language] = max(preferences[language] ?? preference, preference)
            }
        }
        // `*` matches the languages that no other range matches. Of several, the first in the order of the enumeration is used.
        let candidates = allCases.map { (language: $0, preference: preferences[$0] ?? others) }
            .filter { $0.preference.weight > 0 }
        guard let highest = candidates.map(\.preference).max() else { return nil }
        return candidates.first { $0.preference == highest }?.language
    }

    /// A higher weight wins; of equal weights, the earlier position.
    private struct Preference: Comparable {
        /// In thousandths.
        let weight: Int
        let position: Int

        static func < (left: Preference, right: Preference) -> Bool {
            (left.weight, right.position) < (right.weight, left.position)
        }
    }

    /// The range and the weight of an element such as `de-AT;q=0.8`; nil if it is not valid.
    private static func parts(of element: Substring.UTF8View) -> (range: Substring.UTF8View, weight: Int)? {
        guard let semicolon = element.firstIndex(of: UInt8(ascii: ";")) else {
            let range = trimmed(element)
            return range.isEmpty ? nil : (range, 1_000)
        }
        let range = trimmed(element[..<semicolon])
        let parameter = trimmed(element[element.index(after: semicolon)...])
        guard !range.isEmpty, parameter.starts(with: "q=".utf8) || parameter.starts(with: "Q=".utf8) else { return nil }
        return weight(parameter.dropFirst(2)).map { (range, $0) }
    }

    /// The weight in thousandths: `0` to `1` with at most three digits after the point.
    private static func weight(_ text: Substring.UTF8View) -> Int? {
        guard text.count <= 5, let first = text.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1") else {
            return nil
        }
        var weight = first == UInt8(ascii: "1") ? 1_000 : 0
        let fraction = text.dropFirst()
        guard fraction.first.map({ $0 == UInt8(ascii: ".") }) ?? true else { return nil }
        for (digit, value) in zip(fraction.dropFirst(), [100, 10, 1]) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            weight += Int(digit - UInt8(ascii: "0")) * value
        }
        return weight <= 1_000 ? weight : nil
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var text = text.drop(while: isSpace)
        while text.last.map(isSpace) == true { text = text.dropLast() }
        return text
    }
}
