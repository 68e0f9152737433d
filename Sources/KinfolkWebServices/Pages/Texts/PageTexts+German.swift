extension PageTexts {
    static let german = PageTexts(
        common: Common(
            languages: "Sprache",
            errorTitle: "Es gibt ein Problem",
            error: "Fehler:",
            minutes: CountedText(one: "1 Minute", other: "{count} Minuten"),
            hours: CountedText(one: "1 Stunde", other: "{count} Stunden"),
            months: [
                "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
                "November", "Dezember",
            ],
            firstDay: "1",
            date: "{day}. {month} {year}",
            dateAndTime: "{date}, {time} Uhr UTC",
            back: "Zurück",
            tooManyCodes: """
                Es wurden zu viele Codes angefordert. Bitte warten Sie {duration} und versuchen Sie es dann noch einmal.
                """,
            emailLabel: "E-Mail-Adresse",
            emailMissing: "Geben Sie Ihre E-Mail-Adresse ein.",
            emailInvalid: "Das ist keine gültige E-Mail-Adresse. Geben Sie sie so ein: name@example.com.",
            signInAgain: Message(
                title: "Bitte melden Sie sich noch einmal an",
                text: "Das schützt Ihr Konto: Für diesen Schritt darf die Anmeldung höchstens 10 Minuten her sein."
            ),
            signInAgainButton: "Noch einmal anmelden"
        ),
        email: Email(
            title: "Bei {application} anmelden",
            titleOfAccount: "Bei Ihrem Konto anmelden",
            intro: "Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Code für die Anmeldung.",
            privacy: "{application} erfährt Ihre E-Mail-Adresse nicht.",
            keep: "Auf diesem Gerät angemeldet bleiben",
            keepHint: "Nicht ankreuzen, wenn auch andere das Gerät benutzen.",
            submit: "Code senden",
            providersTitle: "Anders anmelden",
            provider: "Weiter mit {provider}",
            person: "Als {provider} fortfahren",
            notSent: "Die E-Mail konnte nicht gesendet werden. Bitte versuchen Sie es später noch einmal."
        ),
        code: Code(
            title: "Code eingeben",
            titleOfAddition: "E-Mail-Adresse bestätigen",
            titleOfRefusal: "Bestätigen, dass die Adresse Ihnen gehört",
            signingIn: "Sie melden sich bei {application} an.",
            sent: "Wir haben einen Code an {address} gesendet. Er gilt 10 Minuten.",
            sentAgain: "Wir haben noch einen Code gesendet. Nur der neueste gilt.",
            label: "Ihr Code",
            hint: """
                8 Zeichen, zum Beispiel ABCD-\u{2060}EFGH. Sie können auch klein schreiben und den Strich weglassen.
                """,
            submit: "Weiter",
            noCodeTitle: "Kein Code da?",
            noCode: "Es kann eine Minute dauern. Bitte sehen Sie auch im Spam-Ordner nach.",
            another: "Neuen Code senden",
            passTitle: "Pass aus einer früheren E-Mail verwenden",
            passLabel: "Ihr Pass",
            passHint: """
                In jeder unserer E-Mails steht ein Pass. Wenn für Ihre Adresse zu viele Codes angefordert wurden, bekommen \
                Sie mit dem Pass aus einer E-Mail der letzten 24 Stunden trotzdem einen Code.
                """,
            otherAddress: "Andere Adresse verwenden",
            missing: "Geben Sie den Code aus der E-Mail ein.",
            wrong:
                "Der Code ist falsch, oder er wurde zu oft versucht. Prüfen Sie ihn, oder fordern Sie einen neuen an.",
            expired: "Der Code gilt nicht mehr. Fordern Sie einen neuen an."
        ),
        consent: Consent(
            title: "Darf man Sie in {application} finden?",
            meaning: """
                Wenn Sie zustimmen, können Menschen, die Ihre E-Mail-Adresse schon haben, Sie in {application} finden. Sie \
                sehen dann Ihren Namen.
                """,
            wording: "{application} schreibt dazu:",
            yes: "Ja, man darf mich finden",
            no: "Nein, man darf mich nicht finden",
            later: "Sie können das jederzeit auf der Seite Ihres Kontos ändern."
        ),
        linkIdentity: LinkIdentity(
            title: "{provider} mit Ihrem Konto verknüpfen?",
            proved: """
                In diesem Browser hat sich gerade jemand bei {provider} angemeldet, und zwar als {person}.
                """,
            meaning: """
                Wenn Sie es verknüpfen, kann sich diese Person immer mit {provider} bei Ihrem Konto anmelden. Wenn \
                Sie das nicht sind, zum Beispiel an einem gemeinsamen Computer, verknüpfen Sie es nicht.
                """,
            yes: "Das bin ich: verknüpfen",
            no: "Nicht verknüpfen"
        ),
        newAccount: NewAccount(
            title: "Wie heißen Sie?",
            intro: "Diesen Namen sehen Menschen, die Sie finden dürfen. Sie können beide Felder leer lassen.",
            givenName: "Vorname (freiwillig)",
            familyName: "Nachname (freiwillig)",
            submit: "Weiter",
            tooLong: "Der Name ist zu lang. Bitte kürzen Sie ihn."
        ),
        done: Done(
            title: "Sie sind angemeldet",
            redirect: "Sie werden zu {application} zurückgeleitet.",
            link: "Weiter zu {application}",
            window: """
                Dieses Fenster schließt sich von selbst. Wenn es offen bleibt, schließen Sie es und kehren Sie zu \
                {application} zurück.
                """,
            lost: """
                Die Verbindung dieses Fensters zu {application} ist abgerissen. Schließen Sie es, kehren Sie zu \
                {application} zurück und melden Sie sich noch einmal an.
                """,
            withoutScript: """
                JavaScript ist ausgeschaltet. Deshalb kann dieses Fenster {application} nicht mitteilen, dass Sie \
                angemeldet sind. Schalten Sie JavaScript ein und melden Sie sich noch einmal an.
                """,
            signedOut: Message(title: "Sie sind abgemeldet", text: "Sie können dieses Fenster jetzt schließen."),
            erased: Message(
                title: "Ihr Konto ist gelöscht",
                text: """
                    Niemand kann Ihre Daten mehr erreichen. Was nicht sofort gelöscht werden kann, wird gerade gelöscht.
                    """
            )
        ),
        errors: Errors(
            linkExpired: Message(
                title: "Dieser Link ist abgelaufen",
                text: "Kehren Sie zur Anwendung zurück und melden Sie sich von dort noch einmal an."
            ),
            formRejected: Message(
                title: "Dieses Formular gilt nicht mehr",
                text: "Bitte beginnen Sie noch einmal. Ihr Browser muss Cookies dieser Website annehmen."
            ),
            applicationUnknown: Message(
                title: "Unbekannte Anwendung",
                text: """
                    Die Anwendung, von der Sie kommen, ist bei diesem Dienst nicht registriert. Bitte sagen Sie ihrem \
                    Entwickler Bescheid.
                    """
            ),
            returnURLNotRegistered: Message(
                title: "Sie können nicht zur Anwendung zurückgeleitet werden",
                text: """
                    {application} hat eine Rückkehradresse genannt, die nicht registriert ist. Zu Ihrer Sicherheit endet \
                    die Anmeldung hier. Bitte sagen Sie dem Entwickler der Anwendung Bescheid.
                    """
            ),
            originNotRegistered: Message(
                title: "Diese Website darf die Anmeldung nicht benutzen",
                text: """
                    Die Website, die dieses Fenster geöffnet hat, ist für {application} nicht registriert. Zu Ihrer \
                    Sicherheit endet die Anmeldung hier. Bitte sagen Sie dem Entwickler der Anwendung Bescheid.
                    """
            ),
            accountSuspended: Message(
                title: "Ihr Konto ist gesperrt",
                text: "Sie können sich zurzeit nicht anmelden. Bitte wenden Sie sich an den Betreiber dieses Dienstes."
            ),
            providerFailed: Message(
                title: "Die Anmeldung mit {provider} ist fehlgeschlagen",
                text: """
                    {provider} hat nicht bestätigt, wer Sie sind. Bitte versuchen Sie es noch einmal oder melden Sie sich \
                    anders an.
                    """
            ),
            tooManyRequests: Message(
                title: "Zu viele Anfragen",
                text: "Bitte warten Sie {duration} und versuchen Sie es dann noch einmal."
            ),
            serviceUnavailable: Message(
                title: "Der Dienst ist nicht erreichbar",
                text: "Bitte versuchen Sie es in ein paar Minuten noch einmal."
            ),
            pageNotFound: Message(
                title: "Seite nicht gefunden",
                text: "Unter dieser Adresse gibt es keine Seite. Bitte prüfen Sie sie auf Tippfehler."
            ),
            detail: "Technische Angabe: {detail}",
            startAgain: "Noch einmal beginnen"
        ),
        account: Account(
            title: "Ihr Konto",
            signOut: "Abmelden",
            changed: Changed(
                addressAdded: "Die Adresse ist jetzt bestätigt.",
                addressClaimed: """
                    Ein anderes Konto hat diese Adresse. Dessen Inhaber erhält eine E-Mail und kann eine Zeit lang ablehnen. Wählen Sie danach noch einmal „Bestätigen“.
                    """,
                addressRemoved: "Die Adresse wurde entfernt.",
                claimRefused: "Sie haben den Anspruch abgelehnt. Die Adresse bleibt bei Ihrem Konto.",
                identityRemoved: "Diese Anmeldemöglichkeit wurde entfernt.",
                discoverability: "Ihre Entscheidung wurde gespeichert.",
                signedOut: "Das Gerät wurde abgemeldet."
            ),
            addressesTitle: "E-Mail-Adressen",
            verified: "Bestätigt",
            notVerified: "Nicht bestätigt",
            verify: "Bestätigen",
            remove: "Entfernen",
            addLabel: "E-Mail-Adresse hinzufügen",
            add: "Hinzufügen",
            claimsTitle: "Ansprüche auf Ihre Adressen",
            claim: """
                Jemand anderes hat nachgewiesen, dass er die E-Mails an {address} liest, und möchte die Adresse in sein \
                Konto übernehmen.
                """,
            claimUntil: "Wenn Sie nicht ablehnen, kann er die Adresse ab dem folgenden Zeitpunkt übernehmen: {date}.",
            claimRefused: "Sie haben abgelehnt. Die Adresse bleibt bei Ihrem Konto.",
            claimDisputed: """
                Sie haben abgelehnt, und die andere Person hat die Adresse noch einmal nachgewiesen. Der Betreiber dieses \
                Dienstes entscheidet.
                """,
            refuse: "Ablehnen",
            applicationsTitle: "Anwendungen",
            noApplications: "Sie benutzen noch keine Anwendung.",
            granted: "Man darf Sie finden.",
            denied: "Man darf Sie nicht finden.",
            undetermined: "Sie wurden noch nicht gefragt. Bis dahin kann man Sie nicht finden.",
            hide: "Nicht mehr gefunden werden",
            allow: "Gefunden werden",
            devicesTitle: "Angemeldete Geräte",
            noDevices: "Sie sind auf keinem Gerät angemeldet.",
            thisDevice: "Dieses Gerät",
            signedInOn: "Angemeldet am {date}",
            lastUsedOn: "Zuletzt benutzt am {date}",
            signOutDevice: "Abmelden",
            signOutEverywhere: "Überall abmelden",
            dataTitle: "Ihre Daten",
            export: "Ihre Daten herunterladen",
            erase: "Ihr Konto löschen"
        ),
        confirm: Confirm(
            erase: Message(
                title: "Ihr Konto löschen?",
                text: "Ihr Konto wird gelöscht, mit allem, was Sie gespeichert haben, in allen Anwendungen."
            ),
            eraseUndo: "Das kann nicht rückgängig gemacht werden.",
            eraseExport: "Zuerst Ihre Daten herunterladen",
            word: "löschen",
            wordLabel: "Geben Sie zur Bestätigung das Wort „{word}“ ein",
            wordWrong: "Das Wort stimmt nicht. Geben Sie „{word}“ ein.",
            eraseButton: "Mein Konto löschen",
            signOutEverywhere: Message(
                title: "Überall abmelden?",
                text: "Sie werden in allen Anwendungen und auf allen Geräten abgemeldet, auch auf diesem."
            ),
            signOutEverywhereButton: "Überall abmelden",
            refuse: Message(
                title: "Den Anspruch auf {address} ablehnen?",
                text: """
                    Die Adresse bleibt dann bei Ihrem Konto. Zuerst senden wir einen Code an {address}, um sicherzugehen, \
                    dass sie Ihnen gehört.
                    """
            ),
            refuseButton: "Code senden und ablehnen",
            removeAddress: Message(
                title: "{address} entfernen?",
                text:
                    "Sie können sich dann nicht mehr mit dieser Adresse anmelden, und niemand findet Sie mehr über sie."
            ),
            removeAddressButton: "Adresse entfernen",
            cancel: "Abbrechen"
        ),
        export: Export(
            title: "Ihre Daten herunterladen",
            content: """
                Die Datei enthält alles, was dieser Dienst über Sie gespeichert hat, in allen Anwendungen (Format: JSON).
                """,
            care: "Sie ist nicht verschlüsselt. Bewahren Sie sie sicher auf.",
            submit: "Datei herunterladen"
        ),
        mail: Mail(
            codeSubject: "Ihr Code für {application}",
            codeSignIn: "Ihr Code für die Anmeldung bei {application}:",
            codeAddition: "Ihr Code, um diese E-Mail-Adresse zu Ihrem Konto hinzuzufügen ({application}):",
            codeRefusal: "Ihr Code, um den Anspruch auf diese E-Mail-Adresse abzulehnen ({application}):",
            validity: "Der Code gilt 10 Minuten. Geben Sie ihn niemandem.",
            pass: """
                Wenn Sie in den nächsten 24 Stunden keinen Code bekommen, weil für Ihre Adresse zu viele angefordert \
                wurden, geben Sie auf derselben Seite diesen Pass ein:
                """,
            notYou: """
                Sie haben keinen Code angefordert? Dann hat jemand Ihre Adresse eingegeben, vielleicht aus Versehen. Sie \
                müssen nichts tun: Ohne den Code geschieht nichts.
                """,
            claimSubject: "{application}: Jemand beansprucht Ihre E-Mail-Adresse",
            claim: """
                Jemand hat nachgewiesen, dass er die E-Mails an {address} lesen kann, und möchte diese Adresse aus Ihrem \
                Konto in sein Konto übernehmen. Sie bekommen diese E-Mail, weil die Adresse zu Ihrem Konto für \
                {application} gehört.
                """,
            claimWait: "Wenn Sie nichts tun, kann er die Adresse nach Ablauf dieser Frist übernehmen: {duration}.",
            claimRefuse: "Wenn Sie das nicht waren, melden Sie sich hier an und wählen Sie „Ablehnen“:",
            claimMailbox: "Ändern Sie auch das Passwort dieses Postfachs, denn jemand anderes kann es lesen.",
            claimYours: """
                Wenn Sie es selbst waren, weil Sie die Adresse mit einem anderen Konto verwenden möchten, müssen Sie nichts \
                tun.
                """,
            identitySubject: "{application}: Ein neuer Weg, sich bei Ihrem Konto anzumelden",
            identity: """
                Ab jetzt kann sich {person} mit {provider} bei Ihrem Konto für {application} anmelden.
                """,
            identityRemove: """
                Wenn Sie das nicht waren, melden Sie sich hier an, entfernen Sie diesen Weg und melden Sie sich \
                überall ab:
                """
        )
    )
}
