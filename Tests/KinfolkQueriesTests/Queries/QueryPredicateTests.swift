import KinfolkModel
import TestSupport
import Testing

/// Predicates that are made from fields and values.
@Suite("Typed predicates") struct QueryPredicateTests {
    private func fault(_ predicate: QueryPredicate) -> KinfolkError? {
        do throws(KinfolkError) {
            _ = try Query("Note", where: predicate)
            return nil
        } catch { return error }
    }

    private let one = QueryKey("a") == .int64(1)

    @Test func aChainIsOneNode() throws {
        let chain = (one && (one && one)) && .and([one, one])
        #expect(chain.tree.root == .all(5))
        #expect(chain.tree.children == Array(repeating: one.tree, count: 5))
        #expect(QueryPredicate.and([]) == .all)
        #expect(QueryPredicate.or([]) == .none)
        #expect(QueryPredicate.or([one]) == one)
        #expect(!(!one) == one)
        #expect(!one != one)
        #expect((one && one) != (one || one))
    }

    @Test func whatIsWrongIsThrownWhenTheQueryIsMade() throws {
        let here = try Location(latitude: 1, longitude: 1)
        let wrong: [QueryPredicate] = [
            QueryKey("a b") == .int64(1), QueryKey("") == .int64(1), QueryKey("_a") == .int64(1),
            QueryKey("a.b") == .int64(1), QueryKey("a'") == .int64(1),
            QueryKey(String(repeating: "a", count: 256)) == nil,
            QueryKey("a") == .int64List([1]), QueryKey("a") < .stringList([]), QueryKey("a").contains(.int64List([1])),
            QueryKey("a").isIn([.int64List([1])]), QueryKey("a").isBetween(.int64(1), .int64List([1])),
            QueryKey("changeTag") == .string("a"), QueryKey("createdAt") == .int64(1), QueryKey("createdAt") == nil,
            QueryKey("createdAt").begins(with: "2026"), QueryKey("createdBy") < .string("a"),
            QueryKey("createdAt").distance(from: here) < 5, QueryKey("a").distance(from: here) < .nan,
            QueryKey("a").distance(from: here) > .infinity,
        ]
        for predicate in wrong {
            #expect(fault(predicate)?.code == .invalidArgument)
            #expect(fault(predicate)?.reason.hasPrefix("In the query: ") == true)
            // It stays wrong, whatever it is combined with.
            #expect(fault(!predicate || one)?.code == .invalidArgument)
            #expect(fault(.none && predicate)?.code == .invalidArgument)
        }
    }

    @Test func aPredicateOfAnySizeIsHeld() throws {
        var predicate = one
        for _ in 0..<100_000 { predicate = !(predicate && one) }
        #expect(fault(predicate)?.code == .limitExceeded)
        var chain = one
        for _ in 0..<2_000 { chain = chain || one }
        #expect(fault(chain)?.code == .limitExceeded)
        #expect(fault(.and(Array(repeating: one, count: 1_000))) == nil)
        #expect(fault(.and(Array(repeating: one, count: 1_000_000)))?.code == .limitExceeded)
        let near = QueryKey("a").distance(from: try Location(latitude: 1, longitude: 1)) < 5
        #expect(fault(.or(Array(repeating: near, count: 50))) == nil)
        #expect(fault(.or(Array(repeating: near, count: 51)))?.code == .limitExceeded)
        var doubled = one
        for _ in 0..<200 { doubled = doubled && doubled }
        #expect(fault(doubled)?.code == .limitExceeded)
        #expect(fault(QueryKey("a").isIn(Array(repeating: .int64(1), count: 1_000_000)))?.code == .limitExceeded)
        #expect(fault(.words(String(repeating: "a", count: 1_000_001)))?.code == .limitExceeded)
        #expect(fault(QueryKey("a").begins(with: String(repeating: "a", count: 1_000_001)))?.code == .limitExceeded)
        var nested = one
        for _ in 0..<63 { nested = .or([!nested, one]) }
        #expect(fault(nested)?.code == .limitExceeded)
        nested = one
        for _ in 0..<31 { nested = .or([!nested, one]) }
        #expect(fault(nested) == nil)
        #expect(fault(!nested) == nil)
        #expect(fault(!nested && one)?.code == .limitExceeded)
    }

    @Test func namesAndUsersAreReferences() throws {
        let user = "_0123456789abcdef0123456789abcdef"
        let id = try UserRecordID(user)
        #expect((QueryKey("createdBy") == .string(user)) == (QueryKey("createdBy") == .reference(id)))
        #expect(QueryKey("modified_by").isIn([.string(user)]) == QueryKey("modifiedBy").isIn([.reference(id)]))
        #expect((QueryKey("recordName") == .string(user)) == (QueryKey("recordID") == .reference(id)))
        let list = try RecordID("list", zone: "Lists")
        let deleted = try FieldValue.reference(Reference(list, action: .deleteSelf))
        #expect((QueryKey("list") == deleted) == (QueryKey("list") == .reference(try Reference(list))))
        #expect((QueryKey("recordName") == deleted) == (QueryKey("recordName") == .reference(try Reference(list))))
        guard case .comparison(let comparison)? = (QueryKey("recordName") == .string("list")).tree.test,
            case .equal(.reference(let reference)?) = comparison.operation
        else {
            Issue.record("not a reference")
            return
        }
        #expect(reference.target.name == "list" && reference.target.zone.isEmpty)
    }

    @Test(arguments: [
        ["createdAt", "created_at", "creationDate", "createdTimestamp", "___createTime"],
        ["modifiedAt", "modified_at", "modificationDate", "modifiedTimestamp", "___modTime"],
    ]) func eachNameOfATimeMeansTheSame(_ names: [String]) throws {
        let date = FieldValue.date(Timestamp(microseconds: 5))
        for name in names {
            #expect((QueryKey(name) > date) == (QueryKey(names[0]) > date))
            #expect(try QueryPredicate("\(name) > %@", date) == (QueryKey(names[0]) > date))
            #expect(try QuerySortDescriptor("-\(name)") == .descending(names[0]))
            #expect(SystemField(named: name) == SystemField(named: names[0]))
        }
        #expect(fault(QueryKey(names[0]).isBetween(date, date)) == nil)
        #expect(fault(QueryKey(names[0]).isIn([date])) == nil)
        #expect(fault(QueryKey(names[0]) != date) == nil)
    }

    @Test func noNameMeansTwoSystemFields() {
        var fields: [String: SystemField] = [:]
        for field in SystemField.allCases {
            for name in Set(field.names.all) {
                #expect(fields.updateValue(field, forKey: name) == nil)
                #expect(SystemField(named: name) == field)
                #expect(SystemField.reservation(of: name) != nil)
            }
        }
        for name in ["name", "id", "type", "zone", "parent", "created", "modified", "CreatedAt"] {
            #expect(SystemField(named: name) == nil)
            #expect(SystemField.reservation(of: name) == nil)
        }
    }

    @Test func sortDescriptorsAreRead() throws {
        #expect(try QuerySortDescriptor("start") == .ascending("start"))
        #expect(try QuerySortDescriptor("-start") == .descending("start"))
        for text in [
            "", "-", "--a", "-\u{301}a", " a", "+a", "a b", "createdBy", "recordName", "-changeTag", "___x", "a.b",
        ] {
            #expect(throws: KinfolkError(.invalidArgument, ""), "\(text)") { try QuerySortDescriptor(text) }
        }
        let here = try Location(latitude: 1, longitude: 1)
        let wrong: [QuerySortDescriptor] = [
            .ascending("a b"), .descending("recordID"), .distance("createdAt", from: here), .distance("", from: here),
        ]
        for descriptor in wrong {
            #expect(throws: KinfolkError(.invalidArgument, "")) { try Query("Note", sortedBy: [descriptor]) }
        }
        #expect(try Query("Note", sortedBy: Array(repeating: .ascending("a"), count: 8)).sortDescriptors.count == 8)
        #expect(throws: KinfolkError(.limitExceeded, "")) {
            try Query("Note", sortedBy: Array(repeating: .ascending("a"), count: 9))
        }
    }

    @Test(arguments: ["", "a b", "_Note", "Users"]) func wrongRecordTypesAreRefused(_ type: String) {
        #expect(throws: KinfolkError(.invalidArgument, "")) { try Query(type) }
    }

    @Test func nothingOfAQueryIsPrinted() throws {
        let here = try Location(latitude: 48.858, longitude: 2.294)
        let predicate = QueryKey("name") == .string("Adaline") && QueryKey("place").distance(from: here) < 5
        let query = try Query("Note", where: predicate, sortedBy: [.distance("place", from: here)])
        let values: [Any] = [
            predicate, query, QueryKey("name"), query.sortDescriptors, QueryKey("a").distance(from: here),
        ]
        for value in values {
            var text = ""
            dump(value, to: &text)
            debugPrint(value, to: &text)
            text += "\(value)"
            for secret in ["Adaline", "48.858", "name"] { #expect(!text.contains(secret)) }
        }
        #expect("\(predicate)" == "QueryPredicate(21 terms)")
        #expect("\(QueryPredicate.all)" == "QueryPredicate(1 term)")
    }
}
