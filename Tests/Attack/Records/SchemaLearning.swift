import Kinfolk

/// What the schema, which all users of a container share, tells about another user's private records.
struct SchemaLearning {
    /// Types and fields that the owner uses, and that nobody uses.
    private static let used = ["Illness", "Therapy", "Salary", "Lover"]
    private static let unused = ["Meadows", "Village", "Bottle", "Coat"]

    func findings() throws -> [Finding] {
        let production = try probes(.production)
        let development = try probes(.development)
        guard development.told == SchemaLearning.used.count * 2 else {
            throw ExperimentFailure("the probes find \(development.told) names in a development environment")
        }
        return [
            Finding(
                "\(production.count) probes of the schema for types and fields that another user tried to save in a private database, in "
                    + "production",
                "\(production.told) of \(SchemaLearning.used.count * 2) names told",
                isHeld: production.told == 0 && production.areAllRefused
            ),
            Finding(
                "not promised: the same in a development environment, where every save adds to the schema",
                "\(development.told) of \(SchemaLearning.used.count * 2) names told: invented data only",
                isHeld: true
            ),
        ]
    }

    private struct Probes {
        var count = 0
        /// About how many names the answers differ from those about names that nobody uses.
        var told = 0
        var areAllRefused = true
    }

    private func probes(_ environment: ContainerEnvironment) throws -> Probes {
        let scene = try RecordScene()
        let container = try scene.store.service.container(AttackedStore.containerName, environment: environment)
        if environment == .development { try RecordScene.declareFields(in: container) }
        let owner = try container.session(for: scene.account)
        let other = try scene.store.session(InventedPerson(2), in: container)
        var probes = Probes()
        for name in SchemaLearning.used {
            let results = try records(name, .string("kept private")).map { record in
                Result { () throws(KinfolkError) in try owner.privateDatabase.save(record) }
            }
            if results.contains(where: { (try? $0.get()) != nil }) { probes.areAllRefused = false }
        }
        for (used, unused) in zip(SchemaLearning.used, SchemaLearning.unused) {
            let answers = try [used, unused].map { name in
                // A field with another type than the owner's is refused if the schema has it.
                try records(name, .int64(1)).map { record in
                    probes.count += 1
                    return answer(other, record).replacing(name, with: "NAME")
                }
            }
            probes.told += zip(answers[0], answers[1]).count { $0 != $1 }
        }
        return probes
    }

    /// A record of a type with this name, and one that has a field with this name.
    private func records(_ name: String, _ value: FieldValue) throws -> [Record] {
        var typed = try Record(type: name)
        try typed.set("value", to: value)
        var known = try RecordScene.record(title: "note")
        try known.set(name, to: value)
        return [typed, known]
    }

    private func answer(_ session: Session, _ record: Record) -> String {
        do {
            _ = try session.privateDatabase.save(record)
            return "saved"
        } catch { return error.shown }
    }
}
