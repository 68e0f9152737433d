import CUnistring
import Glibc
import KinfolkModel

/// The PRECIS profile UsernameCaseMapped (RFC 8265, section 3.3): maps all spellings of a name to one form.
///
/// The rules apply in the order of RFC 8264, section 7: width, case, NFC, direction, and last whether the class allows the
/// result.
package enum UsernameCaseMapped {
    /// The canonical form of a local part, in UTF-8.
    package static func map(_ text: Span<UInt8>) throws(EmailFault) -> [UInt8] {
        var name = try decoded(text)
        ReadingSteps.take(10 * name.count)
        for index in name.indices { name[index] = widthMapped(name[index]) }
        name = lowercased(name)
        let isPlain = PlainLetters.containsAll(of: name)
        if !isPlain { name = try normalized(name) }
        // The direction of an unassigned code point is unknown, so the Bidi Rule cannot judge it.
        guard isPlain || !name.contains(where: isUnassigned) else { throw .forbiddenCharacter }
        guard BidiRule.isSatisfied(by: name) else { throw .mixedDirections }
        guard isPlain || IdentifierClass.contains(name) else { throw .forbiddenCharacter }
        return encoded(name)
    }

    private static func isUnassigned(_ codePoint: UInt32) -> Bool {
        codePoint >= 0x80 && uc_general_category(codePoint).bitmask & UInt32(UC_CATEGORY_MASK_Cn) != 0
    }

    private static func decoded(_ text: Span<UInt8>) throws(EmailFault) -> [UInt32] {
        guard let utf8 = try? UTF8Span(validating: text) else { throw .notUTF8 }
        var name: [UInt32] = []
        name.reserveCapacity(text.count)
        var scalars = utf8.makeUnicodeScalarIterator()
        while let scalar = scalars.next() { name.append(scalar.value) }
        return name
    }

    /// Maps a full-width or half-width form to its decomposition (`<wide>`, `<narrow>`), which is always one code point.
    private static func widthMapped(_ codePoint: UInt32) -> UInt32 {
        guard codePoint >= 0xFF00 && codePoint < 0xFFF0 || codePoint == 0x3000 else { return codePoint }
        var tag: Int32 = 0
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Int(UC_DECOMPOSITION_MAX_LENGTH)) { result in
            let length = uc_decomposition(codePoint, &tag, result.baseAddress)
            let isWidth = tag == UC_DECOMP_WIDE || tag == UC_DECOMP_NARROW
            return length == 1 && isWidth ? result[0] : codePoint
        }
    }

    /// Unicode's toLowercase() (section 3.13, R2), without rules for particular languages.
    ///
    /// `u32_tolower` is not used: it does not recognise a final sigma if there is an apostrophe next to it.
    private static func lowercased(_ name: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(name.count)
        for (index, codePoint) in name.enumerated() {
            switch codePoint {
            case 0x130: result += [0x69, 0x307]  // the only one that becomes two
            case 0x3A3: result.append(isFinalSigma(name, at: index) ? 0x3C2 : 0x3C3)
            case ..<0x80: result.append(UInt32(ASCII.lowercased(UInt8(codePoint))))
            default: result.append(uc_tolower(codePoint))
            }
        }
        return result
    }

    /// Final_Sigma (table 3-17): a cased letter comes before it and none after it; case-ignorable characters do not count.
    private static func isFinalSigma(_ name: [UInt32], at index: Int) -> Bool {
        func counts(_ codePoint: UInt32) -> Bool {
            ReadingSteps.take(1)
            return !uc_is_property_case_ignorable(codePoint)
        }
        let before = name[..<index].last(where: counts)
        let after = name[(index + 1)...].first(where: counts)
        return before.map(uc_is_property_cased) == true && after.map(uc_is_property_cased) != true
    }

    /// The name in NFC.
    package static func normalized(_ name: [UInt32]) throws(EmailFault) -> [UInt32] {
        // NFC expands a code point to at most three code points (UAX #15, section 13).
        let capacity = 3 * name.count
        var isWritten = false
        let result = [UInt32](unsafeUninitializedCapacity: capacity) { output, count in
            name.withUnsafeBufferPointer { input in
                guard let start = input.baseAddress, let room = output.baseAddress else { return }
                var length = capacity
                let written = u32_normalize(cunistring_nfc(), start, input.count, room, &length)
                isWritten = written == room && length <= capacity
                if isWritten { count = length }
                // The result did not fit, so libunistring allocated memory for it.
                if let written, written != room { free(written) }
            }
        }
        guard isWritten else { throw .localPartTooLong }
        return result
    }

    private static func encoded(_ name: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * name.count)
        for codePoint in name {
            let encoded =
                UTF8.encode(Unicode.Scalar(codePoint) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
            // Byte by byte: there are few, and appending them as a collection takes longer.
            for byte in encoded { bytes.append(byte) }
        }
        return bytes
    }
}
