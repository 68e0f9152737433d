import Testing

@testable import Kinfolk

@Suite struct BatchSizeTests {
    @Test func aBatchGrowsWhileTransactionsAreShort() {
        var size = BatchSize()
        let first = size.accounts
        size.adjust(after: 0.01)
        #expect(size.accounts == 2 * first)
        for _ in 0..<20 { size.adjust(after: 0.01) }
        #expect(size.accounts == 3_200)
    }

    @Test func aBatchShrinksAfterALongTransaction() {
        var size = BatchSize()
        let first = size.accounts
        for _ in 0..<3 { size.adjust(after: 0.01) }
        size.adjust(after: 5)
        #expect(size.accounts == 4 * first)
        for _ in 0..<20 { size.adjust(after: 5) }
        #expect(size.accounts == first, "never less than at the beginning")
    }

    @Test func aBatchStaysIfATransactionTakesTwoTenthsOfASecond() {
        var size = BatchSize()
        size.adjust(after: 0.01)
        let grown = size.accounts
        size.adjust(after: 0.2)
        #expect(size.accounts == grown)
    }
}
