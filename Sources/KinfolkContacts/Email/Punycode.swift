import KinfolkModel

/// Punycode (RFC 3492): encodes a Unicode label as letters, digits and hyphens.
enum Punycode {
    /// Encodes a label of at most 63 code points as ASCII, without `xn--`.
    static func encoded(_ label: [UInt32]) -> [UInt8] {
        var output = label.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
        var done = output.count
        var bias = Bias()
        if done > 0 { output.append(UInt8(ascii: "-")) }
        ReadingSteps.take(label.count)
        var floor: UInt32 = 0x80
        var delta = 0
        while let next = label.filter({ $0 >= floor }).min() {
            ReadingSteps.take(label.count)
            // This cannot overflow: at most 0x10FFFF times 64, once for each of 64 code points.
            delta += Int(next - floor) * (done + 1)
            for codePoint in label {
                if codePoint < next { delta += 1 }
                guard codePoint == next else { continue }
                append(delta, bias, to: &output)
                done += 1
                bias.adapt(to: delta, count: done)
                delta = 0
            }
            delta += 1
            floor = next + 1
        }
        return output
    }

    /// Decodes a label from ASCII; nil if the text is not valid Punycode.
    static func decoded(_ text: Span<UInt8>) -> [UInt32]? {
        ReadingSteps.take(text.count)
        var digitsStart = 0
        for index in text.indices where text[index] == UInt8(ascii: "-") { digitsStart = index + 1 }
        var label: [UInt32] = []
        for index in 0..<max(0, digitsStart - 1) { label.append(UInt32(text[index])) }

        var codePoint = 0x80
        var place = 0
        var bias = Bias()
        var index = digitsStart
        while index < text.count {
            guard let delta = readDelta(text, &index, bias) else { return nil }
            let sum = place.addingReportingOverflow(delta)
            guard !sum.overflow else { return nil }
            let count = label.count + 1
            bias.adapt(to: delta, count: count)
            codePoint += sum.partialValue / count
            place = sum.partialValue % count
            guard codePoint <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(codePoint)) else { return nil }
            label.insert(scalar.value, at: place)
            place += 1
        }
        return label
    }

    /// The bias that determines how the next number is split into digits. It adapts to the previous numbers (section 6.1).
    private struct Bias {
        private var value = 72
        private var isFirst = true

        /// The threshold for the digit at `position`, which counts from 36 in steps of 36: a digit below it ends the number.
        func threshold(_ position: Int) -> Int { min(max(position - value, 1), 26) }

        mutating func adapt(to delta: Int, count: Int) {
            var rest = isFirst ? delta / 700 : delta / 2
            isFirst = false
            rest += rest / count
            value = 0
            while rest > 455 {
                rest /= 35
                value += 36
            }
            value += 36 * rest / (rest + 38)
        }
    }

    private static func append(_ delta: Int, _ bias: Bias, to output: inout [UInt8]) {
        var rest = delta
        var position = 36
        while true {
            let threshold = bias.threshold(position)
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            position += 36
        }
        output.append(digit(rest))
    }

    private static func readDelta(_ text: Span<UInt8>, _ index: inout Int, _ bias: Bias) -> Int? {
        var delta = 0
        var weight = 1
        var position = 36
        while index < text.count, let digit = value(text[index]) {
            index += 1
            let product = digit.multipliedReportingOverflow(by: weight)
            let sum = delta.addingReportingOverflow(product.partialValue)
            guard !product.overflow, !sum.overflow else { return nil }
            delta = sum.partialValue
            let threshold = bias.threshold(position)
            if digit < threshold { return delta }
            let next = weight.multipliedReportingOverflow(by: 36 - threshold)
            guard !next.overflow else { return nil }
            weight = next.partialValue
            position += 36
        }
        return nil
    }

    /// `a` to `z` for 0 to 25, `0` to `9` for 26 to 35.
    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    private static func value(_ digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit) - 0x61
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit) - 0x30 + 26
        default: nil
        }
    }
}
