import Kinfolk
import Testing

@Suite("vCard: exports of real programs")
struct VCardTests {
    @Test func readsAnExportOfAnApplePhone() throws {
        let (book, report) = try ContactFixture.read("ios.vcf")
        #expect(report.format == .vCard)
        #expect(
            try book.entries == [
                .init("ada@example.com", "Ada King Lovelace"),
                .init("ada.lovelace@engines.example", "Ada King Lovelace"),
                .init("laden@bücher.example", "Bücher & Co., Leipzig"),
            ]
        )
        #expect(report.entries == 3)
        #expect(report.withoutEmail == 1)
        #expect(report.skipped.isEmpty)
    }

    @Test func readsAnExportOfAnAndroidPhone() throws {
        let (book, report) = try ContactFixture.read("android.vcf")
        #expect(
            try book.entries == [
                .init("eleni@example.org", "Ελένη Παπαδοπούλου"),
                .init("e.papadopoulou@example.com", "Ελένη Παπαδοπούλου"),
                .init("yamada@example.net", "山田太郎"),
            ]
        )
        #expect(report.skipped.isEmpty)
    }

    @Test func readsAnExportOfOutlook() throws {
        let (book, report) = try ContactFixture.read("outlook.vcf")
        #expect(try book.entries == [.init("juergen.mueller@example.com", "Jürgen Müller")])
        #expect(report.skipped.isEmpty)
    }

    @Test func readsTheCharsetsOfOldPhones() throws {
        let (book, _) = try ContactFixture.read("docomo.vcf")
        #expect(try book.entries == [.init("sora@example.jp", "ソラ 能")])
    }

    @Test func readsLinksAndQuotedParametersOfVersion4() throws {
        let (book, _) = try ContactFixture.read("version4.vcf")
        #expect(
            try book.entries == [
                .init("grace+navy@example.com", "Grace Hopper"), .init("grace@example.org", "Grace Hopper"),
            ]
        )
    }

    @Test func theCardOfAnAgentIsASeparateContact() throws {
        let (book, report) = try ContactFixture.read("agent.vcf")
        #expect(
            try book.entries == [
                .init("holmes@example.com", "Sherlock Holmes"), .init("watson@example.com", "John Watson"),
                .init("sherlock@example.org", "Sherlock Holmes"), .init("poirot@example.com", "Hercule Poirot"),
                .init("hastings@example.com", "Arthur Hastings"), .init("hercule@example.org", "Hercule Poirot"),
            ]
        )
        #expect(report.entries == 4)
        #expect(report.skipped.isEmpty)
    }

    @Test func aBrokenCardIsSkippedAndTheNextOneIsRead() throws {
        let (book, report) = try ContactFixture.read("broken.vcf")
        #expect(try book.entries == [.init("whole@example.com", "Whole"), .init("good@example.com", "Bad Address")])
        #expect(report.skips == ["6:cardWithoutEnd", "13:noAtSign", "16:cardWithoutBegin", "17:cardWithoutEnd"])
        #expect(report.skippedCount == 4)
        #expect(report.added == 2)
    }
}
