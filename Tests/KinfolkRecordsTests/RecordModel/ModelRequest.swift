import Kinfolk

/// A save or a deletion of one record, as the model sees it.
struct ModelRequest {
    enum Expectation {
        case missing
        case present
        case unchanged
        case anything
    }

    let draft: ModelDraft
    let isDeletion: Bool
    let expects: Expectation
    /// The change tag that the record must have.
    let tag: Int?
    /// The fields to write; nil for all, and to remove the others.
    let names: Set<String>?

    /// A save with a policy.
    init(_ draft: ModelDraft, _ policy: SavePolicy) {
        self.draft = draft
        isDeletion = false
        tag = draft.tag
        names =
            policy == .allKeys
            ? draft.changed.union(draft.fields.keys).union(draft.parent == nil ? [] : [Record.parentKey])
            : draft.changed
        expects = policy != .ifServerRecordUnchanged ? .anything : draft.origin == nil ? .missing : .unchanged
    }

    /// A deletion, of the record with a tag or in any case.
    init(deleting draft: ModelDraft, withTag: Bool) {
        self.draft = draft
        isDeletion = true
        tag = withTag ? draft.tag : nil
        names = nil
        expects = withTag && draft.tag != nil ? .unchanged : .present
    }

    /// An item of a batch.
    init(_ kind: ModelStep.Kind, _ draft: ModelDraft) {
        self.draft = draft
        tag = draft.tag
        isDeletion = kind == .delete || kind == .forceDelete
        names = kind == .update || kind == .forceUpdate ? draft.changed : nil
        expects =
            switch kind {
            case .create: .missing
            case .update, .replace, .delete: .unchanged
            case .forceUpdate, .forceReplace, .forceDelete: .anything
            }
    }

    /// The bytes that count for the limit of a batch.
    var size: Int { isDeletion ? 0 : draft.size }

    /// Whether the record must exist.
    var needsRecord: Bool { expects == .present || expects == .unchanged }

    /// Throws what is wrong with the request alone.
    func check(_ origin: ModelDraft.Origin) throws(ModelFailure) {
        if !isDeletion {
            let isNamedByUser = (try? UserRecordID(draft.key.name)) != nil
            guard (draft.type == "Users") == isNamedByUser, !draft.refersElsewhere else {
                throw ModelFailure(.invalidArgument)
            }
            guard draft.origin == nil || draft.origin == origin else { throw ModelFailure(.unknownItem) }
        }
        guard expects != .unchanged || tag != nil else { throw ModelFailure(.invalidArgument) }
    }
}
