import Foundation
import TestSupport
import Testing

/// Arguments that are not UTF-8: paths are accepted unchanged, everything else is refused.
@Suite struct PathBytesTests {
    /// The names in the folder, each byte 0xE9 of Latin-1 as `<E9>`.
    private func names(in kinfolk: CommandLineTool) throws -> [String] {
        try kinfolk.shell("LC_ALL=C ls | LC_ALL=C sed \"s/$(printf '\\351')/<E9>/g\"").lines.map(String.init)
    }

    private func shell(_ kinfolk: CommandLineTool, _ script: String) throws -> Run {
        try kinfolk.shell("e=$(printf '\\351'); " + script)
    }

    @Test func storeKeyContactsPeopleAndCopiesKeepTheBytesOfTheirPaths() throws {
        let kinfolk = try CommandLineTool()
        let run = try shell(
            kinfolk,
            """
            set -e
            export KINFOLK_STORE="st$e.db" KINFOLK_KEY_FILE="ke$e.key"
            $kinfolk init
            $kinfolk container create com.example.notes
            printf 'email,consent\\nada@example.com,yes\\n' >"pe$e.csv"
            $kinfolk account import "pe$e.csv" --container com.example.notes --consent-text a --consent-version 1
            $kinfolk account create --email bo@example.com --verified
            printf 'ada@example.com\\n' >"co$e.txt"
            $kinfolk discover "co$e.txt" --container com.example.notes --account bo@example.com --sync-state "sy$e"
            printf picture >"fi$e"
            $kinfolk session record set "a:bytes=@fi$e" --container com.example.notes --account bo@example.com
            $kinfolk backup "ba$e.db"
            $kinfolk copy "st$e.db" "cp$e.db"
            $kinfolk key rotate
            unset KINFOLK_STORE KINFOLK_KEY_FILE
            $kinfolk account list --store "st$e.db" --key-file "ke$e.key"
            $kinfolk account list --store="cp$e.db" --key-file="ke$e.key.1"
            """
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("ada@example.com"))
        let names = try names(in: kinfolk)
        let expected = [
            "ba<E9>.db", "co<E9>.txt", "cp<E9>.db", "fi<E9>", "ke<E9>.key", "ke<E9>.key.1", "pe<E9>.csv", "st<E9>.db",
            "sy<E9>",
        ]
        #expect(Set(names).isSuperset(of: expected), "\(names)")
        #expect(!names.contains { $0.contains("\u{FFFD}") || $0.unicodeScalars.contains { $0.value >= 0xFDD0 } })
    }

    @Test func aWorkingDirectoryMayHaveANameThatIsNotUTF8() throws {
        let kinfolk = try CommandLineTool()
        let run = try shell(kinfolk, "mkdir d$e && cd d$e && $kinfolk init && $kinfolk key rotate && ls")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.suffix(4) == ["kinfolk.db", "kinfolk.key", "kinfolk.key.1", "kinfolk.key.counter"])
        #expect(try names(in: kinfolk) == ["d<E9>"])
    }

    @Test func aTextThatIsNotUTF8IsRefused() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let before = try kinfolk("account", "list").output
        for command in [
            "account create --given-name Andr$e", "account create --family-name=$e", "container create com.example.$e",
            "account add-email ada@example.com a$e@example.com", "account show $e@example.com",
            "session discoverable on --consent-text $e --consent-version 1 --container com.example.notes "
                + "--account ada@example.com",
            "session record set a=$e --container com.example.notes --account ada@example.com",
            "account lookup com.example.notes _00000000000000000000000000000000 --reason $e",
            // A noncharacter by which the command represents such bytes internally.
            "account create --given-name $(printf '\\357\\267\\220')",
        ] {
            let run = try shell(kinfolk, "$kinfolk \(command)")
            #expect(run.status == 11, "\(command): \(run.errors)")
            #expect(run.errors.contains("UTF-8"), "\(run.errors)")
            let json = try shell(kinfolk, "$kinfolk \(command) --json")
            #expect(try json.errorJSON()["error"] as? String == "invalidArgument")
        }
        #expect(try kinfolk("account", "list").output == before)
        #expect(try shell(kinfolk, "$kinfolk account list --store postgresql://$e/people --key-file a").status == 11)
    }

    @Test func aMessageShowsBytesThatAreNotUTF8InHexadecimal() throws {
        let run = try shell(CommandLineTool(), "$kinfolk account list --bog$e")
        #expect(run.status == 64)
        #expect(run.errors.contains("--bog\\xE9"), "\(run.errors)")
        #expect(try shell(CommandLineTool(), "$kinfolk bog$e").errors.contains("kinfolk bog\\xE9"))
    }
}
