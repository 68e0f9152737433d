import Kinfolk
import ServiceSupport
import Testing

@Suite struct FieldLimitTests {
    private let store: TestService
    private let ada: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
    }

    private func add(_ names: [String], by session: Session) throws {
        var record = try session.fetchUserRecord()
        for name in names { try record.set(name, to: .boolean(true)) }
        _ = try session.save(record)
    }

    @Test func onePersonAddsAtMostFiftyFields() throws {
        #expect(try store.container.fieldLimit() == 50)
        try add((0..<49).map { "field\($0)" }, by: ada)
        expect(.limitExceeded) { try add(["more", "evenMore"], by: ada) }
        try add(["more"], by: ada)
        expect(.limitExceeded) { try add(["evenMore"], by: ada) }
        store.clock.advance(seconds: 365 * 86_400)
        expect(.limitExceeded) { try add(["evenMore"], by: ada) }
        // Anybody may use existing fields, and other people may still add new ones.
        try add(["field1"], by: ada)
        try add(["evenMore", "field7"], by: store.session("Bob"))
        #expect(try store.number("SELECT count(*) FROM fields") == 51)
    }

    @Test func theOperatorCanForbidNewFieldsAndAddThem() throws {
        try store.container.setFieldLimit(0)
        let error = expect(.limitExceeded) { try add(["color"], by: ada) }
        #expect(error?.reason.contains("operator") == true)
        try store.container.addField("color", type: .boolean)
        try add(["color"], by: ada)
        expect(.conflict) { try store.container.addField("color", type: .string) }
        expect(.invalidArgument) { try store.container.addField("1color", type: .string) }
        expect(.invalidArgument) { try add(["color"], by: ada, .string("green")) }
    }

    private func add(_ names: [String], by session: Session, _ value: FieldValue) throws {
        var record = try session.fetchUserRecord()
        for name in names { try record.set(name, to: value) }
        _ = try session.save(record)
    }

    @Test func aRefusedSaveSpendsNothing() throws {
        try store.container.setFieldLimit(1)
        try store.container.addField("size", type: .int64)
        var record = try ada.fetchUserRecord()
        try record.set("color", to: .boolean(true))
        try record.set("size", to: .string("large"))
        for _ in 0..<3 { expect(.invalidArgument) { try ada.save(record) } }
        try add(["color"], by: ada)
    }
}
