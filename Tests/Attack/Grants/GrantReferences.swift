import Kinfolk

/// A user without the role tries to learn of records that only moderators may read, and to delete them, through references in all their
/// forms; and looks for them among the sources of the user's own record.
struct GrantReferences {
    /// Moderators may also write pages, and so refer to them.
    private static let pages = """
        RECORD TYPE Page (
            GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator", GRANT WRITE TO \(HiddenRecords.role)
        );
        """

    private let scene: RecordScene
    private let user: Session
    private let records: HiddenRecords

    init(names: Int) throws {
        let scene = try RecordScene()
        self.scene = scene
        try scene.store.container.addField("title", type: .string, to: "Page")
        for type in [RecordScene.type, "Page"] {
            try scene.store.container.addField("link", type: .reference, to: type)
            try scene.store.container.addField("links", type: .referenceList, to: type)
        }
        records = try HiddenRecords(names, in: scene, otherTypes: GrantReferences.pages)
        user = try scene.store.session(InventedPerson(2))
    }

    func findings() throws -> [Finding] { try [targets()] + sources() }

    /// References to hidden records, compared with references to records that do not exist.
    private func targets() throws -> Finding {
        var (calls, different, read) = (0, 0, 0)
        for session in [user, scene.owner] {
            for (held, free) in zip(records.held, records.deleted) {
                let ofHeld = try answers(to: session, about: held.id)
                let ofNothing = try answers(to: session, about: free.id)
                calls += ofHeld.count
                read += ofHeld.count { $0.contains(RecordScene.secret) }
                different += zip(ofHeld, ofNothing).count { $0 != $1 } + abs(ofHeld.count - ofNothing.count)
            }
        }
        let lost = records.held.count { (try? records.moderator.publicDatabase.fetch($0.id)) == nil }
        let control = try answers(to: records.moderator, about: records.held[0].id)
        guard try control != answers(to: records.moderator, about: records.deleted[0].id) else {
            throw ExperimentFailure("a moderator's references to a hidden record and to none have the same answers")
        }
        return Finding(
            "references of each action, lists, parents, batches, cascades and back references to hidden records by another user and by "
                + "their creator, compared with the same to records that do not exist",
            "\(different) of \(calls.grouped) answers differ, \(read) show a value, \(lost) records were deleted",
            isHeld: different == 0 && read == 0 && lost == 0 && calls >= 60
        )
    }

    private func answers(to session: Session, about id: RecordID) throws -> [String] {
        let database = session.publicDatabase
        var answers: [String] = []
        func note(_ call: () throws -> String) {
            do { answers.append(try call()) } catch {
                answers.append((error as? KinfolkError)?.shown ?? "\(error)")
            }
        }
        func noteAll(_ operations: [RecordOperation]) {
            for isAtomic in [false, true] {
                note {
                    let results = try database.run(operations, atomically: isAtomic)
                    return results.map { result in
                        switch result {
                        case .success(let record): record?.shown ?? "deleted"
                        case .failure(let error): error.shown
                        }
                    }.joined(separator: "; ") + " \(results.deleted.map(\.id.name))"
                }
            }
        }
        for action in ReferenceAction.allCases {
            let link = FieldValue.reference(try Reference(id, action: action))
            note { try database.save(page("link", link)).shown }
            note {
                let own = try database.save(page("link", .reference(Reference(RecordID("nothing")))))
                var changed = own
                try changed.set("link", to: link)
                defer { _ = try? database.delete(own.id) }
                return try database.save(changed).shown
            }
            note {
                let own = try database.save(page("title", .string("own")))
                defer { _ = try? database.delete(own.id) }
                let links = [try Reference(own.id, action: action), try Reference(id, action: action)]
                return try database.save(page("links", .referenceList(links))).shown
            }
            // A later operation of the batch seems to make the target, to change it, or to delete it.
            let source = try page("link", link)
            let target = try RecordScene.record(id, title: RecordScene.forgery)
            for other in [.create(target), .forceUpdate(target), .forceReplace(target), .forceDelete(id)]
                as [RecordOperation]
            {
                noteAll([.create(source), other])
                noteAll([other, .create(source)])
                _ = try? database.delete(source.id)
            }
        }
        note {
            var child = try page("title", .string("own"))
            try child.setParent(id)
            child = try database.save(child)
            return "\(child.shown) \(try database.delete(child.id).map(\.id.name))"
        }
        note { "\(try database.backReferences(to: id).map(\.source.name))" }
        note { "\(try database.delete(id).map(\.id.name))" }
        return answers.map { RecordLearning.withoutRandomness($0).replacing("free", with: "held") }
    }

    private func page(_ field: String, _ value: FieldValue) throws -> Record {
        var record = try Record(type: "Page")
        try record.set(field, to: value)
        return record
    }

    /// Hidden records that refer to the user's own page.
    private func sources() throws -> [Finding] {
        let count = 5
        func saved(_ name: String, _ change: (inout Record, Record) throws -> Void) throws -> Record {
            let page = try user.publicDatabase.save(page("title", .string("own")))
            for number in 0..<count {
                var source = try RecordScene.record(RecordID("hidden \(name) \(number)"), title: RecordScene.secret)
                try change(&source, page)
                _ = try records.moderator.publicDatabase.save(source)
            }
            return page
        }
        let parent = try saved("child") { try $0.setParent($1) }
        let target = try saved("source") { try $0.set("link", to: .reference(Reference($1, action: .deleteSelf))) }
        let needed = try saved("needs") { try $0.set("link", to: .reference(Reference($1, action: .validate))) }
        var answers: [String] = []
        for page in [parent, target, needed] {
            for limit in [1, count, Database.maximumBatch] {
                let found = try user.publicDatabase.backReferences(to: page.id, limit: limit)
                answers += found.map(\.source.name)
            }
        }
        let seen = try records.moderator.publicDatabase.backReferences(to: target.id).count
        let refusal: String
        do {
            refusal = "deleted \(try user.publicDatabase.delete(needed.id).count)"
        } catch { refusal = error.shown }
        answers.append(refusal)
        answers += try user.publicDatabase.delete(target.id).map(\.id.name)
        let shown = answers.count { $0.contains("hidden") || $0.contains(RecordScene.secret) }
        guard seen == count else { throw ExperimentFailure("the moderator does not see the back references") }
        return [
            Finding(
                "\(3 * count) hidden records that refer to a user's own records: back references, deletions and the records deleted with "
                    + "one, and the error about a record that is needed",
                "\(shown) of \(answers.count) answers name one",
                isHeld: shown == 0
            ),
            Finding(
                "not promised: that a hidden record needs one's own record",
                refusal.hasPrefix("referenceViolation") ? "told by the refusal of a deletion" : refusal,
                isHeld: true
            ),
        ]
    }
}
