import CUnistring
import KinfolkModel

/// The `CHARSET` of a vCard value: converts its bytes to UTF-8 with iconv.
///
/// Only charsets that phones and mail programs wrote are accepted. The name comes from a file, and iconv loads a module by that
/// name. Bugs in modules for rare charsets have crashed processes (CVE-2021-3326, CVE-2020-27618).
final class Charset {
    private let name: [UInt8]
    private let descriptor: iconv_t

    /// - Parameters:
    ///   - name: The name in the text.
    ///   - known: The result of ``known(_:)`` for that name.
    init?(name: Span<UInt8>, known: String) {
        ReadingSteps.take(ReadingSteps.converter)
        guard let descriptor = iconv_open("UTF-8", known), descriptor != iconv_t(bitPattern: -1) else { return nil }
        self.descriptor = descriptor
        var copy: [UInt8] = []
        copy.append(name)
        self.name = copy
    }

    deinit {
        iconv_close(descriptor)
    }

    /// Whether it was created with this name, in the same case.
    func isNamed(_ name: Span<UInt8>) -> Bool {
        let ownName = self.name
        return ownName.span.isEqual(to: name)
    }

    /// The value in UTF-8, or nil if it is not valid in this charset.
    func decoded(_ value: Span<UInt8>) -> [UInt8]? {
        iconv(descriptor, nil, nil, nil, nil)
        ReadingSteps.take(4 * value.count)
        // In each accepted charset, one byte becomes at most four bytes of UTF-8.
        let capacity = 4 * value.count
        var isComplete = false
        let text = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            value.withUnsafeBufferPointer { input in
                var source = UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(to: CChar.self)
                var sourceLeft = input.count
                var target = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self)
                var targetLeft = output.count
                let result = iconv(descriptor, &source, &sourceLeft, &target, &targetLeft)
                isComplete = result != -1 && sourceLeft == 0
                count = capacity - targetLeft
            }
        }
        return isComplete ? text : nil
    }

    /// The iconv name of an accepted charset; nil for any other charset.
    static func known(_ name: Span<UInt8>) -> String? {
        guard name.count <= 24 else { return nil }
        var text = ""
        for index in name.indices {
            let byte = name[index]
            guard byte < 0x80 else { return nil }
            text.unicodeScalars.append(
                Unicode.Scalar(byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : ASCII.lowercased(byte))
            )
        }
        return names[text]
    }

    private static let names: [String: String] = {
        var names = [
            "us-ascii": "US-ASCII", "ascii": "US-ASCII", "utf-16": "UTF-16", "utf-16le": "UTF-16LE",
            "utf-16be": "UTF-16BE",
            "latin1": "ISO-8859-1", "macintosh": "MACINTOSH", "tis-620": "TIS-620",
            "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932", "windows-31j": "CP932", "cp932": "CP932",
            "euc-jp": "EUC-JP", "iso-2022-jp": "ISO-2022-JP",
            "gb2312": "GBK", "gbk": "GBK", "gb18030": "GB18030", "big5": "BIG5", "euc-kr": "EUC-KR",
            "ks-c-5601-1987": "EUC-KR",
            "koi8-r": "KOI8-R", "koi8-u": "KOI8-U",
        ]
        for part in 1...16 where part != 12 { names["iso-8859-\(part)"] = "ISO-8859-\(part)" }
        for page in 1250...1258 {
            names["windows-\(page)"] = "CP\(page)"
            names["cp\(page)"] = "CP\(page)"
        }
        return names
    }()
}
