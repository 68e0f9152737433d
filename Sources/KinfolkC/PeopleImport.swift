public import CKinfolk
import Kinfolk

/// The result of importing a file of people.
final class PeopleImportHandle: Handle, @unchecked Sendable {
    let report: PeopleImport
    let texts = TextArena()

    init(_ report: PeopleImport) { self.report = report }
}

@_cdecl("kinfolk_container_import_people") @implementation
public func kinfolk_container_import_people(
    _ handle: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ consent_text: UnsafePointer<CChar>?,
    _ consent_version: UnsafePointer<CChar>?,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?,
    _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let container = try container(handle)
        let hasWording = consent_text != nil || consent_version != nil
        let wording = hasWording ? try ConsentWording(text(consent_text), version: text(consent_version)) : nil
        let done = try container.service.importPeople(fromFile: KinfolkC.path(path), into: container, wording: wording)
        {
            done throws(KinfolkError) in
            try tell(progress, done.rows, of: done.estimatedRows, context)
        }
        report?.pointee = makeHandle(PeopleImportHandle(done))
    }
}

extension PeopleImport.Progress {
    /// The present estimate of how many rows the file has; 0 without an estimate.
    fileprivate var estimatedRows: Int {
        guard let share, share > 0 else { return 0 }
        return max(Int(exactly: (Double(rows) / share).rounded()) ?? 0, rows)
    }
}

private func number(_ handle: OpaquePointer?, _ value: (PeopleImport) -> Int) -> Int {
    peek(handle, as: PeopleImportHandle.self).map { value($0.report) } ?? 0
}

@_cdecl("kinfolk_people_import_rows") @implementation
public func kinfolk_people_import_rows(_ report: OpaquePointer?) -> Int { number(report, \.rows) }

@_cdecl("kinfolk_people_import_created") @implementation
public func kinfolk_people_import_created(_ report: OpaquePointer?) -> Int { number(report, \.created) }

@_cdecl("kinfolk_people_import_granted") @implementation
public func kinfolk_people_import_granted(_ report: OpaquePointer?) -> Int { number(report, \.granted) }

@_cdecl("kinfolk_people_import_denied") @implementation
public func kinfolk_people_import_denied(_ report: OpaquePointer?) -> Int { number(report, \.denied) }

@_cdecl("kinfolk_people_import_undetermined") @implementation
public func kinfolk_people_import_undetermined(_ report: OpaquePointer?) -> Int { number(report, \.undetermined) }

@_cdecl("kinfolk_people_import_skipped") @implementation
public func kinfolk_people_import_skipped(_ report: OpaquePointer?) -> Int { number(report, \.skippedCount) }

@_cdecl("kinfolk_people_import_skip_count") @implementation
public func kinfolk_people_import_skip_count(_ report: OpaquePointer?) -> Int { number(report, \.skipped.count) }

private func skip(_ handle: OpaquePointer?, _ index: Int) -> PeopleImport.Skip? {
    guard let skipped = peek(handle, as: PeopleImportHandle.self)?.report.skipped, skipped.indices.contains(index)
    else {
        return nil
    }
    return skipped[index]
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    text.flatMap { peek(handle, as: PeopleImportHandle.self)?.texts.text($0) }
}

@_cdecl("kinfolk_people_import_skip_line") @implementation
public func kinfolk_people_import_skip_line(_ report: OpaquePointer?, _ index: Int) -> Int {
    skip(report, index)?.line ?? 0
}

@_cdecl("kinfolk_people_import_skip_name") @implementation
public func kinfolk_people_import_skip_name(_ report: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(report, skip(report, index)?.reason.name)
}

@_cdecl("kinfolk_people_import_skip_reason") @implementation
public func kinfolk_people_import_skip_reason(_ report: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(report, skip(report, index)?.reason.sentence)
}

@_cdecl("kinfolk_people_import_free") @implementation
public func kinfolk_people_import_free(_ report: OpaquePointer?) { freeHandle(report, as: PeopleImportHandle.self) }
