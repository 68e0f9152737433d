import Kinfolk
import Testing

@testable import KinfolkWebServices

/// The mails in six languages.
@Suite("Pages: mails") struct PagesMailTests {
    @Test(arguments: PageLanguage.allCases) func aCodeMailHasTheCodeThePassAndTheApplication(_ language: PageLanguage) {
        for purpose in [CodeMail.Purpose.signIn, .addAddress, .refuseClaim] {
            let mail = CodeMail(
                content: VerificationMail(
                    recipient: "ada@example.com",
                    code: "ABCD-EFGH",
                    pass: "ABCD-EFGH-JKMN-PQRS"
                ),
                application: "Notes",
                purpose: purpose
            )
            .mail(language)
            #expect(mail.address == "ada@example.com" && mail.subject.contains("Notes"))
            // A notification on a locked screen shows the subject.
            #expect(!mail.subject.contains("ABCD"))
            let lines = mail.text.split(separator: "\n")
            #expect(lines.contains("    ABCD-EFGH") && lines.contains("    ABCD-EFGH-JKMN-PQRS"))
            #expect(lines.first?.contains("Notes") == true)
            #expect(mail.text.contains(PageTexts[language].mail.notYou.plain()))
        }
    }

    @Test(arguments: PageLanguage.allCases) func aNoticeSaysWhatHappensAndHowToRefuse(_ language: PageLanguage) {
        let mail = notice(application: "Notes", claimed: "a@example.com").mail(language)
        #expect(mail.subject.contains("Notes") && mail.text.contains("a@example.com") && mail.text.contains("Notes"))
        #expect(mail.text.contains("24") && mail.text.contains("\n\n    https://id.example/account?a=b\n\n"))
        // The mail names the button of the page.
        #expect(mail.text.contains(PageTexts[language].account.refuse.plain()))
    }

    @Test(arguments: PageLanguage.allCases) func aNewIdentityIsNamedWithThePageOnWhichItIsRemoved(
        _ language: PageLanguage
    ) {
        func notice(_ person: String) -> WebMail {
            NoticeMail(
                recipient: "ada@example.com",
                application: "Notes",
                accountURL: "https://id.example/account",
                event: .identity(provider: "Example ID", person: person)
            )
            .mail(language)
        }
        let mail = notice("Ada")
        #expect(mail.address == "ada@example.com" && mail.subject.contains("Notes"))
        #expect(
            mail.text.contains("Ada") && mail.text.contains("Example ID")
                && mail.text.contains("\n\n    https://id.example/account\n\n")
        )
        #expect(notice("A\r\nd\u{2028}a").text.split(separator: "\n").count == mail.text.split(separator: "\n").count)
    }

    @Test func noValueAddsALineToAMail() {
        let name = "Notes\r\nBcc: eve@example.com\u{2028}x\u{85}y"
        for language in PageLanguage.allCases {
            let plain = notice(application: "Notes", claimed: "a@example.com").mail(language)
            let mail = notice(application: name, claimed: "a\n\nb").mail(language)
            #expect(mail.subject.split(whereSeparator: { $0.isNewline }).count == 1)
            #expect(mail.text.split(separator: "\n").count == plain.text.split(separator: "\n").count)
        }
    }

    private func notice(application: String, claimed: String) -> NoticeMail {
        NoticeMail(
            recipient: "ada@example.com",
            application: application,
            accountURL: "https://id.example/account?a=b",
            event: .claim(address: claimed, minutes: 1_440)
        )
    }
}
