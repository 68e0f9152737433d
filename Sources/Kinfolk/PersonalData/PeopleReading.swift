#if DEBUG || KINFOLK_STEPS
import KinfolkContacts
import KinfolkModel
/// Reads a file of people without creating accounts, so that its steps can be counted without a store.
package enum PeopleReading {
    /// The number of people in the text.
    @discardableResult
    package static func people(in text: Span<UInt8>) -> Int {
        var columns: PeopleColumns?
        var people = 0
        var table = CSVReader()
        func read(_ row: CSVRow) throws(KinfolkError) {
            guard let found = columns else { return columns = try PeopleColumns(header: row) }
            let newcomer = try? Newcomer(row, found) { _ in }
            people += newcomer == nil ? 0 : 1
        }
        do throws(KinfolkError) {
            try table.push(text, read)
            try table.finish(read)
        } catch {
            return people
        }
        return people
    }
}
#endif
