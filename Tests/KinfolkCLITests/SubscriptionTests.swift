import Foundation
import Testing

/// `subscription` and `device`.
@Suite struct SubscriptionTests {
    private let kinfolk: CommandLineTool

    /// Ada has the zone Notes and the record type Note; there is a public record type Message.
    init() throws {
        kinfolk = try CommandLineTool.withPeople()
        let schema = """
            DEFINE SCHEMA
            RECORD TYPE Note ( title STRING QUERYABLE, due TIMESTAMP );
            RECORD TYPE Message ( to STRING QUERYABLE, text STRING );
            """
        _ = try kinfolk.file("schema.ckdb", schema)
        _ = try kinfolk.shell("$kinfolk schema apply \(CommandLineTool.container) schema.ckdb")
        _ = try kinfolk.session("ada@example.com", "zone save Notes")
    }

    private func ada(_ command: String) throws -> Run { try kinfolk.session("ada@example.com", command) }

    private func list(_ database: String) throws -> [String] {
        let run = try ada("subscription list --database \(database) --json")
        let all = try #require(try run.json()["subscriptions"] as? [[String: Any]])
        return all.compactMap { $0["subscription_id"] as? String }
    }

    @Test func subscriptionsAreSavedListedShownAndDeleted() throws {
        #expect(try ada("subscription list --database public").output == "No subscription.\n")
        let save = "subscription save Message 'to = %@' ada --on created,deleted --once --database public --id inbox"
        let saved = try ada(save)
        #expect(saved.output == "Saved the subscription inbox.\n", "\(saved.errors)")
        #expect(
            try ada("subscription list --database public").output
                == "ID     TELLS OF               WHERE\ninbox  created,deleted, once  Message  to = 'ada'\n"
        )
        #expect(
            try ada("subscription show inbox --database public").output
                == """
                SUBSCRIPTION  VALUE
                id            inbox
                tells of      created,deleted, once
                record type   Message
                predicate     to = 'ada'

                """
        )
        #expect(try list("private").isEmpty)
        #expect(try ada("subscription show inbox --database private").status == 12)
        let others = try kinfolk.session("grace@example.org", "subscription show inbox --database public")
        #expect(others.status == 12 && others.errors.contains("kinfolk subscription list"), "\(others.errors)")
        #expect(
            try ada("subscription delete inbox --database public").output == "Deleted the subscription inbox.\n"
        )
        #expect(try ada("subscription delete inbox --database public").status == 12)
        #expect(try list("public").isEmpty)
    }

    @Test func zonesAndPrivateDatabasesAreSubscribedTo() throws {
        #expect(try ada("subscription save --zone Notes --database private --id notes").status == 0)
        #expect(try ada("subscription save --database private --id all").status == 0)
        #expect(try ada("subscription save Note --zone Notes --database private --id query").status == 0)
        let table = """
            ID     TELLS OF                 WHERE
            all    any change               the private database
            notes  any change               zone Notes
            query  created,updated,deleted  Note  zone Notes

            """
        #expect(try ada("subscription list --database private").output == table)
        let kind = try ada("subscription show notes --database private --json").json()["kind"] as? String
        #expect(kind == "zone")
        #expect(try ada("subscription save --zone Nowhere --database private").status == 27)
    }

    @Test func everyOptionOfTheAlertIsKept() throws {
        let options = [
            "keys", "alert-body", "alert-key", "alert-args", "title", "title-key", "title-args", "subtitle",
            "subtitle-key", "subtitle-args", "action-key", "launch-image", "sound", "category", "collapse-id",
        ]
        let flags = ["badge", "content-available", "mutable-content"]
        let words = options.map { "--\($0) v\($0.replacing("-", with: ""))" } + flags.map { "--\($0)" }
        let saved = try ada("subscription save Message \(words.joined(separator: " ")) --database public --id a --json")
        #expect(saved.status == 0, "\(saved.errors)")
        let shown = try ada("subscription show a --database public --json").json()
        let info = try #require(shown["info"] as? [String: Any])
        #expect(Set(info.keys) == Set((options + flags).map { $0.replacing("-", with: "_") }))
        for option in options {
            let value = info[option.replacing("-", with: "_")]
            let text = "v" + option.replacing("-", with: "")
            #expect(value as? String == text || value as? [String] == [text], "\(option)")
        }
        for flag in flags { #expect(info[flag.replacing("-", with: "_")] as? Bool == true, "\(flag)") }
    }

    @Test func aMistakeSavesNothing() throws {
        // What is saved, and the exit status.
        let mistakes: [(words: String, status: Int32)] = [
            ("Message --on nothing", 64), ("Message --on created,", 64), ("--on created", 64), ("--once", 64),
            ("Message 'to ='", 11), ("Nosuch", 12), ("Message 'to = %@' :int64=1", 11),
            ("Message --alert-body \(String(repeating: "x", count: 4_097))", 16),
        ]
        for (words, status) in mistakes {
            let run = try ada("subscription save \(words) --database public")
            #expect(run.status == status, "\(run.errors)")
        }
        #expect(try list("public").isEmpty)
    }

    @Test func devicesAreListedAndRemoved() throws {
        #expect(try ada("device list").output == "No device.\n")
        for device in ["phone", "laptop"] {
            #expect(try ada("subscription save Message --database public --device \(device) --id a").status == 0)
        }
        #expect(try ada("device list").output == "DEVICE\nlaptop\nphone\n")
        #expect(try ada("subscription save Message --database public --id b").status == 0)
        #expect(
            try ada("device list").output == "DEVICE\nlaptop\nphone\n1 session without a device's name.\n"
        )
        let json = try ada("device list --json").json()
        #expect(json["devices"] as? [String] == ["laptop", "phone"] && json["unnamed"] as? Int == 1)
        #expect(try kinfolk.session("grace@example.org", "device list").output == "No device.\n")
        #expect(try ada("device remove phone").output == "Removed the device phone.\n")
        let again = try ada("device remove phone")
        #expect(again.status == 12 && again.errors.contains("kinfolk device list"), "\(again.errors)")
        #expect(try ada("device remove ''").status == 11)
        #expect(try ada("device list --json").json()["devices"] as? [String] == ["laptop"])
    }
}
