import ArgumentParser
import Kinfolk
import KinfolkJSON
import KinfolkStorage

struct AccountErase: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase an account and everything that the store holds about it.",
        discussion: "Asks first; without a terminal it needs --yes. Backups keep the data: erase them yourself."
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @Flag(
        help: ArgumentHelp(
            "Keep the records that the person created in public databases, without a creator.",
            discussion: "User records are erased in any case. Without this option all records of the person are erased."
        )
    )
    var keepPublicRecords = false

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let account = try account.account(in: service)
        try confirmation.ask("Erase \(account.name().shown) (\(account.id)) for good?")
        let erasure = try account.erase(keepsPublicRecords: keepPublicRecords)
        service.removeDeletedFiles()
        let hasFiles = service.hasDeletedFiles
        let isPending = erasure.isPending && (hasFiles || (try? service.store.truncateLog()) != true)
        var lines: [Answer.Block] = [
            .line(
                "Erased \(erasure.emails.counted("address", "addresses")), "
                    + "\(erasure.records.counted("record", "records")) and the use of "
                    + "\(erasure.containers.counted("container", "containers"))."
            )
        ]
        if hasFiles {
            lines.append(
                .line(
                    "Nobody can read the files of the person any more. What is left of them is removed by the next program that "
                        + "keeps the store open."
                )
            )
        } else if isPending {
            lines.append(.line("The store's log is in use: it may hold the erased data until one of the next writes."))
        }
        if let until = erasure.rememberedUntil {
            lines.append(
                .line(
                    "Limits remember what was spent with \(erasure.rememberedEmails.counted("address", "addresses")) "
                        + "until \(until): a person who comes back with the same address cannot spend it again."
                )
            )
        }
        return Answer(
            [
                "account_id": .text(account.id),
                "emails": .count(erasure.emails),
                "records": .count(erasure.records),
                "containers": .count(erasure.containers),
                "pending": .boolean(isPending),
                "remembered_emails": .count(erasure.rememberedEmails),
                "remembered_until": erasure.rememberedUntil.map { .string($0.description) } ?? .null,
            ],
            lines
        )
    }
}
