import KinfolkCrypto

/// Requests that must be refused before a permit is charged.
enum MalformedRequests {
    static func all() throws -> [(name: String, message: [UInt8])] {
        let good = try PointRequest(epoch: 1).message
        var all: [(String, [UInt8])] = []
        for (name, point) in badPoints {
            for place in [0, 31, 63] {
                var points = PointRequest.randomPoints(64)
                points.replaceSubrange(32 * place..<32 * place + 32, with: point)
                all.append(("\(name) as point \(place)", try PointRequest(epoch: 1, points: points).message))
            }
        }
        for length in [0, 1, 3, 4, 7, 8, 23, 24, 26, 27, 58, good.count - 32, good.count - 1] {
            all.append(("the first \(length) bytes", Array(good.prefix(length))))
        }
        all.append(("one byte too many", good + [0]))
        all.append(("one point too many", good + PointRequest.randomPoints(1)))
        for count in [0, 1, 63, 65, 255, 16_383, 65_535] {
            all.append(("\(count) points", try PointRequest(epoch: 1, count: count).message))
        }
        for (name, place, byte) in [
            ("another magic", 0, 0x4c), ("another version", 2, 1), ("type 0", 3, 0), ("an answer", 3, 4),
            ("type 255", 3, 255), ("unknown flags", 24, 2), ("all flags", 24, 255),
        ] as [(String, Int, UInt8)] {
            var message = good
            message[place] = byte
            all.append((name, message))
        }
        for epoch in [0, 2, .max] as [UInt32] { all.append(("epoch \(epoch)", try PointRequest(epoch: epoch).message)) }
        return all
    }

    /// Strings of 32 bytes that encode no element of the group, or encode one in a form that is not canonical.
    private static var badPoints: [(String, [UInt8])] {
        let zeros = [UInt8](repeating: 0, count: 32)
        let good = PointRequest.randomPoints(1)
        var highBit = good
        highBit[31] |= 0x80
        // 2^255 - 19, a second encoding of zero, and that plus 20.
        let prime = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
        let odd = [1] + zeros.dropFirst()
        var negative = good
        negative[0] |= 1
        return [
            ("the identity", zeros), ("the highest bit", highBit), ("2^255 - 19", prime),
            ("2^255 - 1", [UInt8](repeating: 0xff, count: 31) + [0x7f]), ("ones", [UInt8](repeating: 0xff, count: 32)),
            ("a negative number", odd), ("another negative number", negative),
            // Square roots that do not exist: RFC 9496, appendix A.2.
            (
                "no square",
                [
                    0x26, 0x94, 0x8d, 0x35, 0xca, 0x62, 0xe6, 0x43, 0xe2, 0x6a, 0x83, 0x17, 0x73, 0x32, 0xe6, 0xb6,
                    0xaf, 0xeb, 0x9d, 0x08, 0xe4, 0x26, 0x8b, 0x65, 0x0f, 0x1f, 0x5b, 0xbd, 0x8d, 0x81, 0xd3, 0x71,
                ]
            ),
        ]
    }
}
