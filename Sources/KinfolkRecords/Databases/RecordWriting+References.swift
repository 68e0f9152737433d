import KinfolkModel
import KinfolkStorage

/// The references of the records that are saved and deleted.
extension RecordWriting {
    /// The most targets of references that a server is asked for at once.
    static let targetsAtOnce = 100

    /// Reads the targets of references that saves add.
    mutating func readTargets(of requests: [RecordRequest], wereAsked: Bool) throws {
        var targets: [RecordID] = []
        var questions = ReferenceQuestions()
        for request in requests {
            for link in try newLinks(of: request, rows[request.id]) {
                targets.append(link.target)
                if link.kind == .deleteSelf { questions.counted.insert(link.target) }
            }
        }
        for start in stride(from: 0, to: targets.count, by: RecordWriting.targetsAtOnce) {
            let page = targets[start..<min(start + RecordWriting.targetsAtOnce, targets.count)]
            if !wereAsked { try transaction.askAhead(page, questions) }
            for id in page {
                guard let place = try transaction.place(ofZone: id.zone) else { continue }
                _ = try target(id)
                if questions.counted.contains(id) { try references.readCount(of: id, in: place) }
            }
        }
    }

    /// A record to which another one refers.
    private mutating func target(_ id: RecordID) throws -> RecordRow? {
        // Only targets of references that an earlier operation of the batch has removed are not known yet.
        if lookedUp.insert(id).inserted { rows[id] = try transaction.row(id)?.withoutFields() }
        return rows[id]
    }

    /// Checks references when all operations are done, and not with each operation.
    mutating func deferConditions(of requests: [RecordRequest]) {
        defersConditions = true
        upcoming = Set(requests.lazy.filter(\.isSave).map(\.id))
    }

    /// The operations whose references are not fulfilled now, where all operations are done, and their errors.
    func unmetConditions() throws -> [RecordID: KinfolkError] {
        var unmet: [RecordID: KinfolkError] = [:]
        /// The operations that need that another one saves its record.
        var dependents: [RecordID: [RecordID]] = [:]
        for (id, condition) in conditions {
            guard case .exists(let target) = condition else { continue }
            dependents[target, default: []].append(id)
            if unmet[id] == nil { unmet[id] = try refusal(of: target) }
        }
        var new = Array(unmet.keys)
        while let id = new.popLast() {
            for dependent in dependents[id] ?? [] where unmet[dependent] == nil {
                unmet[dependent] = RecordWriting.missingTarget
                new.append(dependent)
            }
        }
        // Only references that are going to be saved keep others from being deleted.
        guard unmet.isEmpty else { return unmet }
        for (id, condition) in conditions {
            guard case .isNotNeeded(let records) = condition, try records.isNeeded() else { continue }
            unmet[id] = RecordWriting.neededRecord
        }
        return unmet
    }

    /// Why the caller cannot refer to a record through `deleteSelf` or `validate`; nil if nothing is against it. A hidden record is like
    /// a missing one: a batch must not tell it from one that a later operation fails to save.
    private func refusal(of target: RecordID) throws -> KinfolkError? {
        guard let row = rows[target], try !access.isHidden(row) else { return RecordWriting.missingTarget }
        return try access.mayWrite(row) ? nil : RecordAccess.refusal
    }

    /// The references that a save sets, without those that the record has already: no permission is needed for them. Of a record that
    /// the caller cannot read, all count as new. Otherwise the caller could find out to what it refers.
    private func newLinks(of request: RecordRequest, _ row: RecordRow?) throws -> [ReferenceChanges.Link] {
        guard !request.references.isEmpty else { return [] }
        let links = request.references.map { reference in
            ReferenceChanges.Link(
                target: reference.target,
                kind: reference.action == .deleteSelf ? .deleteSelf : .validate
            )
        }
        guard let row, try access.mayRead(row) else { return links }
        let before = ReferenceChanges.links(of: row.content, in: request.id.zone)
        return links.filter { !before.contains($0) }
    }

    /// Throws unless the targets exist of references that a save adds, and the user may write them. They are known from before the first
    /// change.
    ///
    /// - Returns: The targets that a later operation must save.
    mutating func requireTargets(
        of content: RecordContent,
        _ request: RecordRequest,
        _ before: RecordRow?,
        in place: RecordPlace
    ) throws -> [RecordID] {
        let links = ReferenceChanges.links(of: content, in: place.zoneName)
        let strong = links.count { $0.kind != .parent }
        guard strong <= ReferenceChanges.maximumTargets else { throw ReferenceChanges.tooManyTargets }
        guard strong > 0 else { return [] }
        guard request.id.user == nil || !links.contains(where: { $0.kind == .deleteSelf }) else {
            throw KinfolkError(.invalidArgument, "A user record is not deleted with another record.")
        }
        var missing: [RecordID] = []
        // In the order of the fields: if several references are refused, the error is always that of the first one.
        for link in try newLinks(of: request, before) {
            let row = try self.target(link.target)
            if link.target != request.id, let refusal = try refusal(of: link.target) {
                guard refusal.code == .referenceViolation, upcoming.contains(link.target) else { throw refusal }
                missing.append(link.target)
                // How many records refer to a hidden one is hidden, too.
                guard row == nil else { continue }
            }
            try references.requireRoom(for: link, in: place)
        }
        return missing
    }

    static var missingTarget: KinfolkError {
        KinfolkError(.referenceViolation, "A reference names a record that does not exist.")
    }

    static var neededRecord: KinfolkError {
        KinfolkError(.referenceViolation, "Another record needs this one, or one that would be deleted with it.")
    }
}
