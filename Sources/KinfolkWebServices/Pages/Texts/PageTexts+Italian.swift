extension PageTexts {
    static let italian = PageTexts(
        common: Common(
            languages: "Lingua",
            errorTitle: "C’è un problema",
            error: "Errore:",
            minutes: CountedText(one: "1 minuto", other: "{count} minuti"),
            hours: CountedText(one: "1 ora", other: "{count} ore"),
            months: [
                "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre",
                "ottobre", "novembre", "dicembre",
            ],
            firstDay: "1º",
            date: "{day} {month} {year}",
            dateAndTime: "{date}, ore {time} UTC",
            back: "Indietro",
            tooManyCodes: "Sono stati richiesti troppi codici. Attenda {duration} e riprovi.",
            emailLabel: "Indirizzo e-mail",
            emailMissing: "Inserisca il Suo indirizzo e-mail.",
            emailInvalid: "Questo indirizzo e-mail non è valido. Lo inserisca così: nome@example.com.",
            signInAgain: Message(
                title: "Acceda di nuovo",
                text: "Per proteggere il Suo account, questo passaggio richiede un accesso negli ultimi 10 minuti."
            ),
            signInAgainButton: "Accedi di nuovo"
        ),
        email: Email(
            title: "Accedi a {application}",
            titleOfAccount: "Accedi al Suo account",
            intro: "Inserisca il Suo indirizzo e-mail. Le invieremo un codice per accedere.",
            privacy: "{application} non vede il Suo indirizzo e-mail.",
            keep: "Resta connesso su questo dispositivo",
            keepHint: "Non selezioni questa opzione se altre persone usano il dispositivo.",
            submit: "Invia codice",
            providersTitle: "Altri modi per accedere",
            provider: "Continua con {provider}",
            person: "Continua come {provider}",
            notSent: "Non è stato possibile inviare l’e-mail. Riprovi più tardi."
        ),
        code: Code(
            title: "Inserisca il codice",
            titleOfAddition: "Confermi il Suo indirizzo e-mail",
            titleOfRefusal: "Confermi che l’indirizzo è Suo",
            signingIn: "Sta accedendo a {application}.",
            sent: "Abbiamo inviato un codice a {address}. È valido per 10 minuti.",
            sentAgain: "Abbiamo inviato un altro codice. È valido solo il più recente.",
            label: "Codice",
            hint: "8 caratteri, per esempio ABCD-\u{2060}EFGH. Può usare le minuscole e omettere il trattino.",
            submit: "Continua",
            noCodeTitle: "Non ha ricevuto il codice?",
            noCode: "Può impiegare un minuto ad arrivare. Controlli anche la cartella della posta indesiderata.",
            another: "Invia un altro codice",
            passTitle: "Usa il pass di un’e-mail precedente",
            passLabel: "Il Suo pass",
            passHint: """
                Ogni nostra e-mail contiene un pass. Se sono stati richiesti troppi codici per il Suo indirizzo, con il \
                pass di un’e-mail delle ultime 24 ore può ricevere un altro codice.
                """,
            otherAddress: "Usa un altro indirizzo",
            missing: "Inserisca il codice ricevuto per e-mail.",
            wrong: "Il codice è sbagliato, o è stato provato troppe volte. Lo controlli, o ne richieda un altro.",
            expired: "Il codice non è più valido. Ne richieda un altro."
        ),
        consent: Consent(
            title: "Gli altri possono trovarLa in {application}?",
            meaning: """
                Se accetta, le persone che hanno già il Suo indirizzo e-mail possono trovarLa in {application}. In tal caso \
                vedono il Suo nome.
                """,
            wording: "{application} scrive:",
            yes: "Sì, possono trovarmi",
            no: "No, non possono trovarmi",
            later: "Può cambiare questa scelta in qualsiasi momento nella pagina del Suo account."
        ),
        linkIdentity: LinkIdentity(
            title: "Collegare {provider} al Suo account?",
            proved: """
                In questo browser qualcuno ha appena effettuato l’accesso a {provider} come {person}.
                """,
            meaning: """
                Se lo collega, quella persona potrà sempre accedere al Suo account con {provider}. Se non è Lei, per \
                esempio su un computer condiviso, non lo colleghi.
                """,
            yes: "Sono io: collega",
            no: "Non collegare"
        ),
        newAccount: NewAccount(
            title: "Come si chiama?",
            intro: "Le persone che possono trovarLa vedono questo nome. Può lasciare vuoti entrambi i campi.",
            givenName: "Nome (facoltativo)",
            familyName: "Cognome (facoltativo)",
            submit: "Continua",
            tooLong: "Il nome è troppo lungo. Lo abbrevi."
        ),
        done: Done(
            title: "Accesso effettuato",
            redirect: "Sta tornando a {application}.",
            link: "Continua su {application}",
            window: "Questa finestra si chiude da sola. Se resta aperta, la chiuda e torni a {application}.",
            lost: """
                Questa finestra ha perso il collegamento con {application}. La chiuda, torni a {application} e acceda di \
                nuovo.
                """,
            withoutScript: """
                JavaScript è disattivato, quindi questa finestra non può comunicare a {application} che Lei ha effettuato \
                l’accesso. Attivi JavaScript e acceda di nuovo.
                """,
            signedOut: Message(title: "È uscito dal Suo account", text: "Ora può chiudere questa finestra."),
            erased: Message(
                title: "Il Suo account è stato cancellato",
                text: """
                    Nessuno può più accedere ai Suoi dati. Ciò che richiede più tempo è in corso di cancellazione.
                    """
            )
        ),
        errors: Errors(
            linkExpired: Message(
                title: "Questo link è scaduto",
                text: "Torni all’applicazione e acceda di nuovo da lì."
            ),
            formRejected: Message(
                title: "Questo modulo non è più valido",
                text: "Ricominci da capo. Il Suo browser deve accettare i cookie di questo sito."
            ),
            applicationUnknown: Message(
                title: "Applicazione sconosciuta",
                text: """
                    L’applicazione da cui proviene non è registrata presso questo servizio. Avvisi lo sviluppatore.
                    """
            ),
            returnURLNotRegistered: Message(
                title: "Impossibile tornare all’applicazione",
                text: """
                    {application} ha indicato un indirizzo di ritorno che non è registrato. Per la Sua sicurezza, l’accesso \
                    si interrompe qui. Avvisi lo sviluppatore dell’applicazione.
                    """
            ),
            originNotRegistered: Message(
                title: "Questo sito non può usare l’accesso",
                text: """
                    Il sito che ha aperto questa finestra non è registrato per {application}. Per la Sua sicurezza, \
                    l’accesso si interrompe qui. Avvisi lo sviluppatore dell’applicazione.
                    """
            ),
            accountSuspended: Message(
                title: "Il Suo account è sospeso",
                text: "Al momento non può accedere. Contatti il gestore di questo servizio."
            ),
            providerFailed: Message(
                title: "L’accesso con {provider} non è riuscito",
                text: "{provider} non ha confermato la Sua identità. Riprovi o acceda in un altro modo."
            ),
            tooManyRequests: Message(
                title: "Troppe richieste",
                text: "Attenda {duration} e riprovi."
            ),
            serviceUnavailable: Message(
                title: "Il servizio non è disponibile",
                text: "Riprovi tra qualche minuto."
            ),
            pageNotFound: Message(
                title: "Pagina non trovata",
                text: "A questo indirizzo non c’è nessuna pagina. Controlli che non contenga errori."
            ),
            detail: "Dettaglio tecnico: {detail}",
            startAgain: "Ricomincia"
        ),
        account: Account(
            title: "Il Suo account",
            signOut: "Esci",
            changed: Changed(
                addressAdded: "L’indirizzo ora è verificato.",
                addressClaimed: """
                    Un altro account ha questo indirizzo. Il titolare riceve un’e-mail e può rifiutare per un certo tempo. Dopo, scelga di nuovo “Verifica”.
                    """,
                addressRemoved: "L’indirizzo è stato rimosso.",
                claimRefused: "Ha rifiutato la richiesta. L’indirizzo resta nel Suo account.",
                identityRemoved: "Questo metodo di accesso è stato rimosso.",
                discoverability: "La Sua scelta è stata salvata.",
                signedOut: "Il dispositivo è stato disconnesso."
            ),
            addressesTitle: "Indirizzi e-mail",
            verified: "Verificato",
            notVerified: "Non verificato",
            verify: "Verifica",
            remove: "Rimuovi",
            addLabel: "Aggiungi un indirizzo e-mail",
            add: "Aggiungi",
            claimsTitle: "Richieste sui Suoi indirizzi",
            claim: """
                Un’altra persona ha dimostrato di leggere la posta di {address} e vuole spostare l’indirizzo nel proprio \
                account.
                """,
            claimUntil: "Se non rifiuta, potrà prendere l’indirizzo a partire da questa data: {date}.",
            claimRefused: "Ha rifiutato. L’indirizzo resta nel Suo account.",
            claimDisputed: """
                Lei ha rifiutato e l’altra persona ha dimostrato di nuovo che l’indirizzo è suo. Decide il gestore di \
                questo servizio.
                """,
            refuse: "Rifiuta",
            applicationsTitle: "Applicazioni",
            noApplications: "Non usa ancora nessuna applicazione.",
            granted: "Gli altri possono trovarLa.",
            denied: "Gli altri non possono trovarLa.",
            undetermined: "Non Le è ancora stato chiesto. Fino ad allora gli altri non possono trovarLa.",
            hide: "Non permettere più di trovarmi",
            allow: "Permetti di trovarmi",
            devicesTitle: "Dispositivi connessi",
            noDevices: "Non è connesso su nessun dispositivo.",
            thisDevice: "Questo dispositivo",
            signedInOn: "Accesso del {date}",
            lastUsedOn: "Ultimo uso: {date}",
            signOutDevice: "Disconnetti",
            signOutEverywhere: "Esci da tutti i dispositivi",
            dataTitle: "I Suoi dati",
            export: "Scarica i Suoi dati",
            erase: "Cancella il Suo account"
        ),
        confirm: Confirm(
            erase: Message(
                title: "Cancellare il Suo account?",
                text: "Il Suo account viene cancellato con tutto ciò che ha salvato, in tutte le applicazioni."
            ),
            eraseUndo: "L’operazione non può essere annullata.",
            eraseExport: "Prima scarica i Suoi dati",
            word: "cancella",
            wordLabel: "Per confermare, scriva la parola «{word}»",
            wordWrong: "La parola non corrisponde. Scriva «{word}».",
            eraseButton: "Cancella il mio account",
            signOutEverywhere: Message(
                title: "Uscire da tutti i dispositivi?",
                text: "Uscirà da tutte le applicazioni su tutti i dispositivi, compreso questo."
            ),
            signOutEverywhereButton: "Esci da tutti i dispositivi",
            refuse: Message(
                title: "Rifiutare la richiesta su {address}?",
                text: """
                    L’indirizzo resta così nel Suo account. Prima invieremo un codice a {address}, per accertarci che sia \
                    Suo.
                    """
            ),
            refuseButton: "Invia codice e rifiuta",
            removeAddress: Message(
                title: "Rimuovere {address}?",
                text: "Non potrà più accedere con questo indirizzo e nessuno potrà trovarLa tramite esso."
            ),
            removeAddressButton: "Rimuovi indirizzo",
            cancel: "Annulla"
        ),
        export: Export(
            title: "Scarica i Suoi dati",
            content: """
                Il file contiene tutto ciò che questo servizio conserva su di Lei, in tutte le applicazioni (formato: JSON).
                """,
            care: "Non è cifrato. Lo conservi in un luogo sicuro.",
            submit: "Scarica file"
        ),
        mail: Mail(
            codeSubject: "Il Suo codice per {application}",
            codeSignIn: "Il Suo codice per accedere a {application}:",
            codeAddition: "Il Suo codice per aggiungere questo indirizzo e-mail al Suo account ({application}):",
            codeRefusal: "Il Suo codice per rifiutare la richiesta su questo indirizzo e-mail ({application}):",
            validity: "Il codice è valido per 10 minuti. Non lo dia a nessuno.",
            pass: """
                Se nelle prossime 24 ore non riceve un codice perché ne sono stati richiesti troppi per il Suo indirizzo, \
                inserisca questo pass nella stessa pagina:
                """,
            notYou: """
                Non ha richiesto questo codice? Allora qualcuno ha inserito il Suo indirizzo, forse per errore. Può ignorare \
                questa e-mail: senza il codice non succede nulla.
                """,
            claimSubject: "{application}: qualcuno rivendica il Suo indirizzo e-mail",
            claim: """
                Qualcuno ha dimostrato di poter leggere la posta di {address} e vuole spostare questo indirizzo dal Suo \
                account a un altro. Riceve questa e-mail perché l’indirizzo appartiene al Suo account per {application}.
                """,
            claimWait: "Se non fa nulla, quella persona potrà prendere l’indirizzo dopo {duration}.",
            claimRefuse: "Se non è stato Lei, acceda qui e scelga «Rifiuta»:",
            claimMailbox: "Cambi anche la password di questa casella, perché un’altra persona può leggerla.",
            claimYours: """
                Se è stato Lei, perché vuole usare l’indirizzo con un altro account, non deve fare nulla.
                """,
            identitySubject: "{application}: un nuovo modo di accedere al Suo account",
            identity: "Da ora {person} può accedere al Suo account per {application} con {provider}.",
            identityRemove: """
                Se non è stato Lei, acceda qui, rimuova questo modo di accedere ed esca da tutti i dispositivi:
                """
        )
    )
}
