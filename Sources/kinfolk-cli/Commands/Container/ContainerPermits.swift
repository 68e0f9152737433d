import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ContainerPermits: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "permits",
        abstract: "Show or change the limits of each person: the rate limit of discovery, and others.",
        discussion: """
            Each contact that a person asks about for the first time costs a permit. The store keeps how many permits a person \
            has spent, so a new limit gives nothing back. --multiplications-per-day and --rows-per-day limit the work of \
            private discovery; 0 derives them from the permits.

            With --person, the command shows how many permits one person has left; --left and --top-up set that number.
            """
    )

    @Argument(help: "The container's name.")
    var name: String

    @Option(help: ArgumentHelp("How many permits a person holds at most, and at first.", valueName: "n"))
    var capacity: UInt32?

    @Option(help: ArgumentHelp("How many permits a person gains an hour.", valueName: "n"))
    var perHour: Double?

    @Option(help: ArgumentHelp("How many permits a person without a verified address holds at most.", valueName: "n"))
    var unverifiedCapacity: UInt32?

    @Option(help: ArgumentHelp("How many multiplications a person may cause in a day.", valueName: "n"))
    var multiplicationsPerDay: UInt64?

    @Option(help: ArgumentHelp("How many rows may be read for a person in a day.", valueName: "n"))
    var rowsPerDay: UInt64?

    @Option(help: ArgumentHelp("How many fields a person may add to the schema; 0 for none.", valueName: "n"))
    var fields: UInt32?

    @Option(help: ArgumentHelp("Show how many permits the person with this user record ID has left.", valueName: "id"))
    var person: String?

    @Option(help: ArgumentHelp("Set how many permits the person has left.", valueName: "n"))
    var left: UInt32?

    @Flag(help: "Give the person as many permits as the person can hold.")
    var topUp = false

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard person != nil || (left == nil && !topUp) else {
            throw ValidationError("--left and --top-up belong to --person.")
        }
        guard left == nil || !topUp else { throw ValidationError("--left and --top-up exclude each other.") }
        let limits: [Any?] = [capacity, perHour, unverifiedCapacity, multiplicationsPerDay, rowsPerDay, fields]
        guard person == nil || limits.allSatisfy({ $0 == nil }) else {
            throw ValidationError("Limits belong to the container: change them without --person.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        if let person { return try answer(about: UserRecordID(person), in: container) }
        let before = try container.permitLimit()
        let limit = PermitLimit(
            capacity: capacity ?? before.capacity,
            perHour: perHour ?? before.perHour,
            unverifiedCapacity: unverifiedCapacity ?? before.unverifiedCapacity
        )
        if limit != before { try container.setPermitLimit(limit) }
        let workBefore = try container.privateWorkLimit()
        let work = PrivateWorkLimit(
            multiplicationsPerDay: changed(multiplicationsPerDay, from: workBefore.multiplicationsPerDay),
            rowsPerDay: changed(rowsPerDay, from: workBefore.rowsPerDay)
        )
        if work != workBefore { try container.setPrivateWorkLimit(work) }
        if let fields { try container.setFieldLimit(fields) }
        let addedFields = try container.fieldLimit()
        return Answer(
            limit.json(for: container, work, fields: addedFields),
            [
                .line(
                    "A person holds at most \(limit.capacity) permits (\(limit.unverifiedCapacity) without a verified "
                        + "address), and gains \(limit.shownRate) an hour."
                ),
                .line(
                    "Private discovery, for each person in a day: "
                        + "\(shown(work.multiplicationsPerDay, "multiplications")), \(shown(work.rowsPerDay, "rows"))."
                ),
                .line("Each person may add \(Int(addedFields).counted("field", "fields")) to the schema."),
            ]
        )
    }

    private func answer(about record: UserRecordID, in container: Container) throws -> Answer {
        if let left { try container.setPermitsLeft(left, of: record) }
        if topUp { try container.topUpPermits(of: record) }
        let left = try container.permitsLeft(of: record)
        return Answer(
            [
                "container": .string(container.name), "user_record_id": .text(record),
                "permits_left": .integer(Int64(left)),
            ],
            line: "The person has \(Int(left).counted("permit", "permits")) left."
        )
    }

    private func changed(_ given: UInt64?, from before: UInt64?) -> UInt64? {
        guard let given else { return before }
        return given > 0 ? given : nil
    }

    private func shown(_ perDay: UInt64?, _ what: String) -> String {
        perDay.map { "\($0) \(what)" } ?? "\(what) derived from the permits"
    }
}

extension PermitLimit {
    fileprivate func json(for container: Container, _ work: PrivateWorkLimit, fields: UInt32) -> JSON {
        func perDay(_ number: UInt64?) -> JSON { number.map { .integer(Int64(clamping: $0)) } ?? .null }
        return [
            "container": .string(container.name),
            "permit_capacity": .integer(Int64(capacity)),
            "permits_per_hour": .double(perHour),
            "unverified_capacity": .integer(Int64(unverifiedCapacity)),
            "multiplications_per_day": perDay(work.multiplicationsPerDay),
            "rows_per_day": perDay(work.rowsPerDay),
            "fields_per_person": .integer(Int64(fields)),
        ]
    }
}
