extension PageTexts {
    static let english = PageTexts(
        common: Common(
            languages: "Language",
            errorTitle: "There is a problem",
            error: "Error:",
            minutes: CountedText(one: "1 minute", other: "{count} minutes"),
            hours: CountedText(one: "1 hour", other: "{count} hours"),
            months: [
                "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                "November", "December",
            ],
            firstDay: "1",
            date: "{day} {month} {year}",
            dateAndTime: "{date}, {time} UTC",
            back: "Back",
            tooManyCodes: "Too many codes were requested. Please wait {duration}, then try again.",
            emailLabel: "E-mail address",
            emailMissing: "Enter your e-mail address.",
            emailInvalid: "This is not a valid e-mail address. Enter it like this: name@example.com.",
            signInAgain: Message(
                title: "Please sign in again",
                text: "This protects your account: the step needs a sign-in within the last 10 minutes."
            ),
            signInAgainButton: "Sign in again"
        ),
        email: Email(
            title: "Sign in to {application}",
            titleOfAccount: "Sign in to your account",
            intro: "Enter your e-mail address. We will send you a code to sign in with.",
            privacy: "{application} does not see your e-mail address.",
            keep: "Keep me signed in on this device",
            keepHint: "Leave this off on a device that other people use.",
            submit: "Send code",
            providersTitle: "Other ways to sign in",
            provider: "Continue with {provider}",
            person: "Continue as {provider}",
            notSent: "We could not send a mail. Please try again later."
        ),
        code: Code(
            title: "Enter your code",
            titleOfAddition: "Confirm your e-mail address",
            titleOfRefusal: "Confirm that the address is yours",
            signingIn: "You are signing in to {application}.",
            sent: "We have sent a code to {address}. It is valid for 10 minutes.",
            sentAgain: "We have sent another code. Only the newest code is valid.",
            label: "Code",
            hint: "8 characters, for example ABCD-\u{2060}EFGH. You may type small letters and leave out the hyphen.",
            submit: "Continue",
            noCodeTitle: "No code?",
            noCode: "It can take a minute to arrive. Please look in your spam folder too.",
            another: "Send another code",
            passTitle: "Use a pass from an earlier mail",
            passLabel: "Pass",
            passHint: """
                Each of our mails contains a pass. If too many codes were requested for your address, the pass of a mail \
                from the last 24 hours gets you another code.
                """,
            otherAddress: "Use another address",
            missing: "Enter the code from the mail.",
            wrong: "The code is wrong, or was tried too often. Check it, or request another code.",
            expired: "The code is no longer valid. Request another code."
        ),
        consent: Consent(
            title: "May people find you in {application}?",
            meaning: """
                If you say yes, people who already have your e-mail address can find you in {application}. They then see \
                your name.
                """,
            wording: "{application} says:",
            yes: "Yes, people may find me",
            no: "No, people may not find me",
            later: "You can change this at any time on the page of your account."
        ),
        linkIdentity: LinkIdentity(
            title: "Link {provider} to your account?",
            proved: "In this browser, somebody has just signed in to {provider} as {person}.",
            meaning: """
                If you link it, that person can always sign in to your account by {provider}. If this is not you, \
                for example on a shared computer, do not link it.
                """,
            yes: "That is me: link it",
            no: "Do not link it"
        ),
        newAccount: NewAccount(
            title: "What is your name?",
            intro: """
                People who are allowed to find you see this name. You may leave both fields empty.
                """,
            givenName: "Given name (optional)",
            familyName: "Family name (optional)",
            submit: "Continue",
            tooLong: "This name is too long. Please shorten it."
        ),
        done: Done(
            title: "You are signed in",
            redirect: "You are being taken back to {application}.",
            link: "Continue to {application}",
            window: "This window closes by itself. If it stays open, close it and go back to {application}.",
            lost: """
                This window has lost its connection to {application}. Close it, go back to {application} and sign in again.
                """,
            withoutScript: """
                JavaScript is turned off, so this window cannot tell {application} that you have signed in. Turn on \
                JavaScript and sign in again.
                """,
            signedOut: Message(title: "You are signed out", text: "You can close this window now."),
            erased: Message(
                title: "Your account is erased",
                text: "Nobody can reach your data any more. What takes longer to delete is being deleted now."
            )
        ),
        errors: Errors(
            linkExpired: Message(
                title: "This link has expired",
                text: "Go back to the application and sign in again from there."
            ),
            formRejected: Message(
                title: "This form is no longer valid",
                text: "Please start again. Your browser has to accept cookies from this site."
            ),
            applicationUnknown: Message(
                title: "Unknown application",
                text:
                    "The application that sent you here is not registered with this service. Please tell its developer."
            ),
            returnURLNotRegistered: Message(
                title: "You cannot be taken back to the application",
                text: """
                    {application} named an address to return to that is not registered. For your safety, the sign-in stops \
                    here. Please tell the developer of the application.
                    """
            ),
            originNotRegistered: Message(
                title: "This website may not use the sign-in",
                text: """
                    The website that opened this window is not registered for {application}. For your safety, the sign-in \
                    stops here. Please tell the developer of the application.
                    """
            ),
            accountSuspended: Message(
                title: "Your account is suspended",
                text: "You cannot sign in at the moment. Please contact the operator of this service."
            ),
            providerFailed: Message(
                title: "The sign-in with {provider} failed",
                text: "{provider} did not confirm who you are. Please try again, or sign in another way."
            ),
            tooManyRequests: Message(
                title: "Too many requests",
                text: "Please wait {duration}, then try again."
            ),
            serviceUnavailable: Message(
                title: "The service is not available",
                text: "Please try again in a few minutes."
            ),
            pageNotFound: Message(
                title: "Page not found",
                text: "There is no page at this address. Please check it for typing errors."
            ),
            detail: "Technical detail: {detail}",
            startAgain: "Start again"
        ),
        account: Account(
            title: "Your account",
            signOut: "Sign out",
            changed: Changed(
                addressAdded: "The address is now verified.",
                addressClaimed: """
                    Another account has this address. Its owner gets a mail, and can refuse for some time. After that, choose “Verify” again.
                    """,
                addressRemoved: "The address was removed.",
                claimRefused: "You have refused the claim. The address stays with your account.",
                identityRemoved: "This way to sign in was removed.",
                discoverability: "Your choice was saved.",
                signedOut: "The device was signed out."
            ),
            addressesTitle: "E-mail addresses",
            verified: "Verified",
            notVerified: "Not verified",
            verify: "Verify",
            remove: "Remove",
            addLabel: "Add an e-mail address",
            add: "Add",
            claimsTitle: "Claims on your addresses",
            claim:
                "Somebody else has proved that they read the mail of {address}, and wants to move it to their account.",
            claimUntil: "If you do not refuse, they can take the address from {date}.",
            claimRefused: "You have refused. The address stays with your account.",
            claimDisputed: """
                You have refused, and the other person has proved the address again. The operator of this service decides.
                """,
            refuse: "Refuse",
            applicationsTitle: "Applications",
            noApplications: "You do not use any application yet.",
            granted: "People may find you.",
            denied: "People may not find you.",
            undetermined: "You have not been asked yet. Until then, people cannot find you.",
            hide: "Stop being found",
            allow: "Let people find me",
            devicesTitle: "Signed-in devices",
            noDevices: "You are not signed in on any device.",
            thisDevice: "This device",
            signedInOn: "Signed in on {date}",
            lastUsedOn: "Last used on {date}",
            signOutDevice: "Sign out",
            signOutEverywhere: "Sign out everywhere",
            dataTitle: "Your data",
            export: "Download your data",
            erase: "Erase your account"
        ),
        confirm: Confirm(
            erase: Message(
                title: "Erase your account?",
                text: "Your account is erased, with everything that you have stored, in all applications."
            ),
            eraseUndo: "This cannot be undone.",
            eraseExport: "Download your data first",
            word: "erase",
            wordLabel: "To confirm, type the word “{word}”",
            wordWrong: "The word does not match. Type “{word}”.",
            eraseButton: "Erase my account",
            signOutEverywhere: Message(
                title: "Sign out everywhere?",
                text: "You will be signed out of all applications on all devices, including this one."
            ),
            signOutEverywhereButton: "Sign out everywhere",
            refuse: Message(
                title: "Refuse the claim on {address}?",
                text: """
                    The address then stays with your account. We will first send a code to {address}, to make sure that it \
                    is yours.
                    """
            ),
            refuseButton: "Send code and refuse",
            removeAddress: Message(
                title: "Remove {address}?",
                text: "You can then no longer sign in with this address, and nobody can find you by it."
            ),
            removeAddressButton: "Remove address",
            cancel: "Cancel"
        ),
        export: Export(
            title: "Download your data",
            content:
                "The file contains everything that this service holds about you, in all applications (format: JSON).",
            care: "It is not encrypted. Keep it in a safe place.",
            submit: "Download file"
        ),
        mail: Mail(
            codeSubject: "Your code for {application}",
            codeSignIn: "Your code to sign in to {application}:",
            codeAddition: "Your code to add this e-mail address to your account ({application}):",
            codeRefusal: "Your code to refuse the claim on this e-mail address ({application}):",
            validity: "The code is valid for 10 minutes. Do not give it to anyone.",
            pass: """
                If you get no code in the next 24 hours because too many were requested for your address, enter this pass \
                on the same page:
                """,
            notYou: """
                You did not ask for this code? Then somebody entered your address, perhaps by mistake. You can ignore this \
                mail: without the code, nothing happens.
                """,
            claimSubject: "{application}: somebody claims your e-mail address",
            claim: """
                Somebody has proved that they can read the mail of {address}, and wants to move this address from your \
                account to theirs. You get this mail because the address belongs to your account for {application}.
                """,
            claimWait: "If you do nothing, they can take the address after {duration}.",
            claimRefuse: "If this was not you, sign in here and choose “Refuse”:",
            claimMailbox: "Also change the password of this mailbox, because somebody else can read it.",
            claimYours:
                "If this was you, because you want to use the address with another account, you need not do anything.",
            identitySubject: "{application}: a new way to sign in to your account",
            identity: "From now on, {person} can sign in to your account for {application} by {provider}.",
            identityRemove: """
                If this was not you, sign in here, remove this way to sign in, and sign out everywhere:
                """
        )
    )
}
