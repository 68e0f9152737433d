import CIDN

/// The PRECIS profile UsernameCaseMapped (RFC 8265, section 3.3): what makes two spellings of a name one.
///
/// The rules in the order of RFC 8264, section 7: width, case, NFC, direction, and last whether the class allows the result.
enum UsernameCaseMapped {
    /// The canonical form of a local part, in UTF-8.
    static func map(_ text: Span<UInt8>) throws(EmailFault) -> [UInt8] {
        var name = try decoded(text)
        var hasSpecialCasing = false
        var mayDecompose = false
        for index in name.indices {
            let codePoint = widthMapped(name[index])
            hasSpecialCasing = hasSpecialCasing || codePoint == 0x130 || codePoint == 0x3A3
            // No code point below has a mark before it to combine with, or decomposes for good.
            mayDecompose = mayDecompose || codePoint >= 0x300
            name[index] = codePoint
        }

        // Of all code points only capital I with dot becomes two, and only sigma looks at its place.
        if hasSpecialCasing {
            name = try name.mapped { u32_tolower($0, $1, nil, nil, $2, &$3) }
        } else {
            for index in name.indices { name[index] = uc_tolower(name[index]) }
        }
        if mayDecompose {
            name = try name.mapped { u32_normalize(cidn_nfc(), $0, $1, $2, &$3) }
        }
        guard BidiRule.isSatisfied(by: name) else { throw .mixedDirections }
        guard IdentifierClass.contains(name) else { throw .forbiddenCharacter }
        return try name.encoded()
    }

    private static func decoded(_ text: Span<UInt8>) throws(EmailFault) -> CodePoints {
        var name = CodePoints()
        guard let utf8 = try? UTF8Span(validating: text) else { throw .notUTF8 }
        var scalars = utf8.makeUnicodeScalarIterator()
        while let scalar = scalars.next() { try name.append(scalar.value) }
        return name
    }

    /// Full-width and half-width forms, as their decomposition says (`<wide>`, `<narrow>`): always one code point.
    private static func widthMapped(_ codePoint: UInt32) -> UInt32 {
        guard codePoint >= 0xFF00 && codePoint < 0xFFF0 || codePoint == 0x3000 else { return codePoint }
        var tag: Int32 = 0
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Int(UC_DECOMPOSITION_MAX_LENGTH)) { result in
            let length = uc_decomposition(codePoint, &tag, result.baseAddress)
            let isWidth = tag == UC_DECOMP_WIDE || tag == UC_DECOMP_NARROW
            return length == 1 && isWidth ? result[0] : codePoint
        }
    }
}
