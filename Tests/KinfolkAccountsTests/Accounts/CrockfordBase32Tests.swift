import KinfolkCrypto
import Testing

@testable import Kinfolk

@Suite struct CrockfordBase32Tests {
    @Test(
        arguments: [
            ([0, 0, 0, 0, 0], "0000-0000"), ([255, 255, 255, 255, 255], "ZZZZ-ZZZZ"),
            ([0, 68, 50, 20, 199], "0123-4567"),
            ([66, 84, 182, 53, 207], "89AB-CDEF"),
        ] as [([UInt8], String)]
    )
    func bytesAreGroupsOfFourCharacters(bytes: [UInt8], text: String) {
        #expect(CrockfordBase32.text(bytes) == text)
        #expect(CrockfordBase32.bytes(text, count: 5) == bytes)
    }

    @Test func bytesRoundTrip() {
        for count in [5, 10, 15, 20] {
            for _ in 0..<200 {
                let bytes = SecureRandom.bytes(count)
                #expect(CrockfordBase32.bytes(CrockfordBase32.text(bytes), count: count) == bytes)
            }
        }
    }

    @Test(arguments: ["abcd-efgh", "ABCDEFGH", " A B C D E F G H ", "abcdefgh", "a-b-c-d-e-f-g-h"])
    func letterCaseHyphensAndSpacesDoNotMatter(text: String) {
        #expect(CrockfordBase32.bytes(text, count: 5) == CrockfordBase32.bytes("ABCD-EFGH", count: 5))
    }

    @Test func lettersThatLookLikeDigitsAreRead() {
        #expect(CrockfordBase32.bytes("oO0iIlL1", count: 5) == CrockfordBase32.bytes("00011111", count: 5))
    }

    @Test(arguments: [
        "", "-", "ABCD-EFG", "ABCD-EFGHJ", "ABCD-EFGU", "ABCD-EFG!", "ＡBCDEFGH", "ABCD-EFG\u{0}",
        String(repeating: "A", count: 100_000), String(repeating: "-", count: 100_000),
    ])
    func anythingElseIsRefused(text: String) { #expect(CrockfordBase32.bytes(text, count: 5) == nil) }
}
