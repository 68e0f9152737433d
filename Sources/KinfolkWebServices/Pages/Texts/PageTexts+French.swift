extension PageTexts {
    static let french = PageTexts(
        common: Common(
            languages: "Langue",
            errorTitle: "Il y a un problème",
            error: "Erreur\u{A0}:",
            minutes: CountedText(one: "1 minute", other: "{count} minutes"),
            hours: CountedText(one: "1 heure", other: "{count} heures"),
            months: [
                "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
                "novembre", "décembre",
            ],
            firstDay: "1er",
            date: "{day} {month} {year}",
            dateAndTime: "{date} à {time} UTC",
            back: "Retour",
            tooManyCodes: "Trop de codes ont été demandés. Veuillez patienter {duration}, puis réessayer.",
            emailLabel: "Adresse e-mail",
            emailMissing: "Saisissez votre adresse e-mail.",
            emailInvalid: "Cette adresse e-mail n’est pas valide. Saisissez-la sous la forme nom@example.com.",
            signInAgain: Message(
                title: "Veuillez vous reconnecter",
                text: "Pour protéger votre compte, cette étape exige une connexion datant de moins de 10 minutes."
            ),
            signInAgainButton: "Se reconnecter"
        ),
        email: Email(
            title: "Se connecter à {application}",
            titleOfAccount: "Se connecter à votre compte",
            intro: "Saisissez votre adresse e-mail. Nous vous enverrons un code de connexion.",
            privacy: "{application} ne voit pas votre adresse e-mail.",
            keep: "Rester connecté sur cet appareil",
            keepHint: "Ne cochez pas cette case si d’autres personnes utilisent l’appareil.",
            submit: "Envoyer le code",
            providersTitle: "Autres moyens de connexion",
            provider: "Continuer avec {provider}",
            person: "Continuer en tant que {provider}",
            notSent: "L’e-mail n’a pas pu être envoyé. Veuillez réessayer plus tard."
        ),
        code: Code(
            title: "Saisissez votre code",
            titleOfAddition: "Confirmez votre adresse e-mail",
            titleOfRefusal: "Confirmez que l’adresse est la vôtre",
            signingIn: "Vous vous connectez à {application}.",
            sent: "Nous avons envoyé un code à {address}. Il est valable 10 minutes.",
            sentAgain: "Nous avons envoyé un autre code. Seul le plus récent est valable.",
            label: "Votre code",
            hint: "8 caractères, par exemple ABCD-\u{2060}EFGH. Vous pouvez écrire en minuscules et omettre le tiret.",
            submit: "Continuer",
            noCodeTitle: "Pas de code\u{A0}?",
            noCode: "Il peut mettre une minute à arriver. Regardez aussi dans vos courriers indésirables.",
            another: "Envoyer un autre code",
            passTitle: "Utiliser la clé d’un e-mail précédent",
            passLabel: "Votre clé",
            passHint: """
                Chacun de nos e-mails contient une clé. Si trop de codes ont été demandés pour votre adresse, la clé d’un \
                e-mail reçu dans les dernières 24 heures vous donne droit à un autre code.
                """,
            otherAddress: "Utiliser une autre adresse",
            missing: "Saisissez le code reçu par e-mail.",
            wrong: "Le code est faux, ou a été essayé trop souvent. Vérifiez-le, ou demandez un autre code.",
            expired: "Le code n’est plus valable. Demandez un autre code."
        ),
        consent: Consent(
            title: "Peut-on vous trouver dans {application}\u{A0}?",
            meaning: """
                Si vous acceptez, les personnes qui ont déjà votre adresse e-mail peuvent vous trouver dans {application}. \
                Elles voient alors votre nom.
                """,
            wording: "{application} précise\u{A0}:",
            yes: "Oui, on peut me trouver",
            no: "Non, on ne peut pas me trouver",
            later: "Vous pouvez changer d’avis à tout moment sur la page de votre compte."
        ),
        linkIdentity: LinkIdentity(
            title: "Associer {provider} à votre compte\u{A0}?",
            proved: """
                Dans ce navigateur, quelqu’un vient de se connecter à {provider} en tant que {person}.
                """,
            meaning: """
                Si vous l’associez, cette personne pourra toujours se connecter à votre compte par {provider}. Si ce \
                n’est pas vous, par exemple sur un ordinateur partagé, ne l’associez pas.
                """,
            yes: "C’est moi\u{A0}: associer",
            no: "Ne pas associer"
        ),
        newAccount: NewAccount(
            title: "Comment vous appelez-vous\u{A0}?",
            intro: "Les personnes autorisées à vous trouver voient ce nom. Vous pouvez laisser les deux champs vides.",
            givenName: "Prénom (facultatif)",
            familyName: "Nom de famille (facultatif)",
            submit: "Continuer",
            tooLong: "Ce nom est trop long. Veuillez le raccourcir."
        ),
        done: Done(
            title: "Vous êtes connecté",
            redirect: "Vous allez revenir à {application}.",
            link: "Continuer vers {application}",
            window: """
                Cette fenêtre se ferme toute seule. Si elle reste ouverte, fermez-la et retournez à {application}.
                """,
            lost: """
                Cette fenêtre a perdu le contact avec {application}. Fermez-la, retournez à {application} et connectez-vous \
                de nouveau.
                """,
            withoutScript: """
                JavaScript est désactivé\u{A0}: cette fenêtre ne peut pas indiquer à {application} que vous êtes connecté. \
                Activez JavaScript et connectez-vous de nouveau.
                """,
            signedOut: Message(
                title: "Vous êtes déconnecté",
                text: "Vous pouvez maintenant fermer cette fenêtre."
            ),
            erased: Message(
                title: "Votre compte est effacé",
                text: """
                    Plus personne ne peut accéder à vos données. Ce qui est plus long à supprimer est en cours de \
                    suppression.
                    """
            )
        ),
        errors: Errors(
            linkExpired: Message(
                title: "Ce lien a expiré",
                text: "Retournez à l’application et connectez-vous de nouveau à partir de là."
            ),
            formRejected: Message(
                title: "Ce formulaire n’est plus valable",
                text: "Veuillez recommencer. Votre navigateur doit accepter les cookies de ce site."
            ),
            applicationUnknown: Message(
                title: "Application inconnue",
                text: """
                    L’application qui vous a envoyé ici n’est pas enregistrée auprès de ce service. Veuillez prévenir son \
                    développeur.
                    """
            ),
            returnURLNotRegistered: Message(
                title: "Impossible de revenir à l’application",
                text: """
                    {application} a indiqué une adresse de retour qui n’est pas enregistrée. Pour votre sécurité, la \
                    connexion s’arrête ici. Veuillez prévenir le développeur de l’application.
                    """
            ),
            originNotRegistered: Message(
                title: "Ce site ne peut pas utiliser la connexion",
                text: """
                    Le site qui a ouvert cette fenêtre n’est pas enregistré pour {application}. Pour votre sécurité, la \
                    connexion s’arrête ici. Veuillez prévenir le développeur de l’application.
                    """
            ),
            accountSuspended: Message(
                title: "Votre compte est suspendu",
                text: "Vous ne pouvez pas vous connecter pour le moment. Veuillez contacter l’exploitant de ce service."
            ),
            providerFailed: Message(
                title: "La connexion avec {provider} a échoué",
                text: """
                    {provider} n’a pas confirmé votre identité. Veuillez réessayer ou vous connecter d’une autre manière.
                    """
            ),
            tooManyRequests: Message(
                title: "Trop de demandes",
                text: "Veuillez patienter {duration}, puis réessayer."
            ),
            serviceUnavailable: Message(
                title: "Le service n’est pas disponible",
                text: "Veuillez réessayer dans quelques minutes."
            ),
            pageNotFound: Message(
                title: "Page introuvable",
                text: "Il n’y a pas de page à cette adresse. Vérifiez qu’elle ne contient pas de faute de frappe."
            ),
            detail: "Détail technique\u{A0}: {detail}",
            startAgain: "Recommencer"
        ),
        account: Account(
            title: "Votre compte",
            signOut: "Se déconnecter",
            changed: Changed(
                addressAdded: "L’adresse est maintenant vérifiée.",
                addressClaimed: """
                    Un autre compte a cette adresse. Son propriétaire reçoit un e-mail et peut refuser pendant un certain temps. Ensuite, choisissez de nouveau « Vérifier ».
                    """,
                addressRemoved: "L’adresse a été retirée.",
                claimRefused: "Vous avez refusé la demande. L’adresse reste liée à votre compte.",
                identityRemoved: "Cette méthode de connexion a été supprimée.",
                discoverability: "Votre choix est enregistré.",
                signedOut: "L’appareil a été déconnecté."
            ),
            addressesTitle: "Adresses e-mail",
            verified: "Vérifiée",
            notVerified: "Non vérifiée",
            verify: "Vérifier",
            remove: "Retirer",
            addLabel: "Ajouter une adresse e-mail",
            add: "Ajouter",
            claimsTitle: "Demandes concernant vos adresses",
            claim: """
                Une autre personne a prouvé qu’elle lit les e-mails envoyés à {address} et souhaite rattacher cette adresse \
                à son compte.
                """,
            claimUntil: "Si vous ne refusez pas, elle pourra prendre l’adresse à partir du {date}.",
            claimRefused: "Vous avez refusé. L’adresse reste liée à votre compte.",
            claimDisputed: """
                Vous avez refusé, et l’autre personne a de nouveau prouvé que l’adresse est la sienne. L’exploitant de ce \
                service décidera.
                """,
            refuse: "Refuser",
            applicationsTitle: "Vos applications",
            noApplications: "Vous n’utilisez pas encore d’application.",
            granted: "On peut vous trouver.",
            denied: "On ne peut pas vous trouver.",
            undetermined: "La question ne vous a pas encore été posée. En attendant, on ne peut pas vous trouver.",
            hide: "Ne plus être trouvé",
            allow: "Permettre de me trouver",
            devicesTitle: "Appareils connectés",
            noDevices: "Vous n’êtes connecté sur aucun appareil.",
            thisDevice: "Cet appareil",
            signedInOn: "Connecté le {date}",
            lastUsedOn: "Dernière utilisation le {date}",
            signOutDevice: "Déconnecter",
            signOutEverywhere: "Se déconnecter partout",
            dataTitle: "Vos données",
            export: "Télécharger vos données",
            erase: "Effacer votre compte"
        ),
        confirm: Confirm(
            erase: Message(
                title: "Effacer votre compte\u{A0}?",
                text: "Votre compte sera effacé, avec tout ce que vous avez enregistré, dans toutes les applications."
            ),
            eraseUndo: "Cette action est irréversible.",
            eraseExport: "Télécharger d’abord vos données",
            word: "effacer",
            wordLabel: "Pour confirmer, saisissez le mot «\u{A0}{word}\u{A0}»",
            wordWrong: "Le mot ne correspond pas. Saisissez «\u{A0}{word}\u{A0}».",
            eraseButton: "Effacer mon compte",
            signOutEverywhere: Message(
                title: "Se déconnecter partout\u{A0}?",
                text: "Vous serez déconnecté de toutes les applications sur tous les appareils, y compris celui-ci."
            ),
            signOutEverywhereButton: "Se déconnecter partout",
            refuse: Message(
                title: "Refuser la demande concernant {address}\u{A0}?",
                text: """
                    L’adresse restera liée à votre compte. Nous enverrons d’abord un code à {address}, pour nous assurer \
                    qu’elle est à vous.
                    """
            ),
            refuseButton: "Envoyer le code et refuser",
            removeAddress: Message(
                title: "Retirer {address}\u{A0}?",
                text: """
                    Vous ne pourrez plus vous connecter avec cette adresse, et personne ne pourra vous trouver grâce à elle.
                    """
            ),
            removeAddressButton: "Retirer l’adresse",
            cancel: "Annuler"
        ),
        export: Export(
            title: "Télécharger vos données",
            content: """
                Le fichier contient tout ce que ce service conserve à votre sujet, dans toutes les applications (format\u{A0}: \
                JSON).
                """,
            care: "Il n’est pas chiffré. Conservez-le en lieu sûr.",
            submit: "Télécharger le fichier"
        ),
        mail: Mail(
            codeSubject: "Votre code pour {application}",
            codeSignIn: "Votre code pour vous connecter à {application}\u{A0}:",
            codeAddition: "Votre code pour ajouter cette adresse e-mail à votre compte ({application})\u{A0}:",
            codeRefusal: "Votre code pour refuser la demande concernant cette adresse e-mail ({application})\u{A0}:",
            validity: "Le code est valable 10 minutes. Ne le donnez à personne.",
            pass: """
                Si, dans les prochaines 24 heures, vous ne recevez pas de code parce que trop de codes ont été demandés \
                pour votre adresse, saisissez cette clé sur la même page\u{A0}:
                """,
            notYou: """
                Vous n’avez pas demandé ce code\u{A0}? Quelqu’un a alors saisi votre adresse, peut-être par erreur. Vous pouvez \
                ignorer cet e-mail\u{A0}: sans le code, il ne se passe rien.
                """,
            claimSubject: "{application}\u{A0}: quelqu’un revendique votre adresse e-mail",
            claim: """
                Quelqu’un a prouvé qu’il peut lire les e-mails envoyés à {address} et souhaite transférer cette adresse de \
                votre compte au sien. Vous recevez cet e-mail parce que l’adresse est liée à votre compte pour \
                {application}.
                """,
            claimWait: "Si vous ne faites rien, cette personne pourra prendre l’adresse dans {duration}.",
            claimRefuse: "Si ce n’était pas vous, connectez-vous ici et choisissez «\u{A0}Refuser\u{A0}»\u{A0}:",
            claimMailbox: """
                Changez aussi le mot de passe de cette boîte aux lettres, car une autre personne peut la lire.
                """,
            claimYours: """
                Si c’était vous, parce que vous voulez utiliser l’adresse avec un autre compte, vous n’avez rien à faire.
                """,
            identitySubject: "{application}\u{A0}: un nouveau moyen de se connecter à votre compte",
            identity: """
                À partir de maintenant, {person} peut se connecter à votre compte pour {application} par {provider}.
                """,
            identityRemove: """
                Si ce n’était pas vous, connectez-vous ici, supprimez ce moyen de connexion et déconnectez tous les \
                appareils\u{A0}:
                """
        )
    )
}
