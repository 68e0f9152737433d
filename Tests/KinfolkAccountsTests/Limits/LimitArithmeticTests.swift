import Testing

@testable import Kinfolk

@Suite struct LimitArithmeticTests {
    private let ends: [Int64] = [.min, .min + 1, -1, 0, 1, 1_000_000, 1 << 61, .max - 1, .max]

    @Test func anyStoredNumberIsHandledAndGivesAtMostTheCeiling() {
        for ceiling in ends {
            for perHour in ends {
                let limit = Limit(ceiling: ceiling, perHour: perHour)
                for spent in ends {
                    for moment in ends {
                        let spending = Spending(millionths: spent, countedAt: Timestamp(microseconds: moment))
                        for now in ends {
                            let then = spending.at(Timestamp(microseconds: now), limit)
                            #expect((0...Spending.most).contains(then.millionths))
                            #expect((0...limit.ceilingInMillionths).contains(then.left(of: limit)))
                            #expect(then.adding(spent).millionths >= then.millionths)
                            #expect((0...then.millionths).contains(then.removing(spent).millionths))
                            #expect((1...31_536_000).contains(limit.seconds(toRegain: then.millionths)))
                        }
                    }
                }
            }
        }
    }

    @Test func allPermitsAccrueInTheExpectedTime() {
        let limit = Limit(ceiling: 20_000, perHour: 10_000_000)
        let start = Timestamp(microseconds: 1)
        let spending = Spending(millionths: 100_000_000, countedAt: start)
        let hour: Int64 = 3_600_000_000
        #expect(spending.at(Timestamp(microseconds: 1 + hour), limit).millionths == 90_000_000)
        #expect(spending.at(Timestamp(microseconds: 10 * hour), limit).millionths == 1)
        #expect(spending.at(Timestamp(microseconds: 1 + 10 * hour), limit).millionths == 0)
        #expect(spending.at(Timestamp(microseconds: 0), limit).millionths == 100_000_000)
    }

    @Test func limitsOfPrivateWorkFollowFromThePermitsByDefault() {
        var limits = ContainerLimits.standard
        func ceilings(_ kind: LimitKind) -> [Int64] {
            [true, false].map { limits.limit(kind, isVerified: $0).ceiling }
        }
        #expect(ceilings(.permits) == [20_000, 100])
        #expect(ceilings(.multiplications) == [160_000, 800])
        #expect(ceilings(.rows) == [8_000_000, 2_000_000])
        #expect(ceilings(.fields) == [50, 50])
        limits.work = PrivateWorkLimit(multiplicationsPerDay: 1_000, rowsPerDay: 100)
        #expect(ceilings(.multiplications) == [1_000, 5])
        #expect(ceilings(.rows) == [100, 25])
        limits.permits = PermitLimit(capacity: .max, perHour: .greatestFiniteMagnitude, unverifiedCapacity: .max)
        limits.work = PrivateWorkLimit(multiplicationsPerDay: .max, rowsPerDay: .max)
        for kind in LimitKind.allCases { #expect(ceilings(kind).allSatisfy { $0 > 0 }) }
        limits.work = .standard
        #expect(ceilings(.rows)[0] == 400 * Int64(UInt32.max))
    }
}
