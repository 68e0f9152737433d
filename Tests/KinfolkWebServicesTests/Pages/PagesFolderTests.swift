import Glibc
import Testing

@testable import KinfolkWebServices

/// Writes all pages to the folder that `KINFOLK_PAGES` names, so that they can be looked at in a browser.
@Suite("Pages: files", .enabled(if: getenv("KINFOLK_PAGES") != nil)) struct PagesFolderTests {
    @Test func allPagesAreWritten() throws {
        let folder = String(cString: try #require(getenv("KINFOLK_PAGES")))
        for (name, page) in PagesSamples().all {
            for language in PageLanguage.allCases {
                let file = try #require(fopen("\(folder)/\(name).\(language.rawValue).html", "w"))
                let bytes = page.bytes(language)
                #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
                #expect(fclose(file) == 0)
            }
        }
    }
}
