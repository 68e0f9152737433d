/// All texts of the pages and mails in one language, grouped by page.
///
/// Names in braces are places for values: the same in all languages.
struct PageTexts: Sendable {
    let common: Common
    let email: Email
    let code: Code
    let consent: Consent
    let linkIdentity: LinkIdentity
    let newAccount: NewAccount
    let done: Done
    let errors: Errors
    let account: Account
    let confirm: Confirm
    let export: Export
    let mail: Mail

    /// The texts of a language.
    static subscript(_ language: PageLanguage) -> PageTexts {
        switch language {
        case .english: english
        case .french: french
        case .german: german
        case .spanish: spanish
        case .italian: italian
        case .japanese: japanese
        }
    }

    /// A title and the text below it.
    struct Message: Sendable {
        let title: PageText
        let text: PageText
    }

    struct Common: Sendable {
        /// The name of the list of languages.
        let languages: PageText
        /// The title of the list of errors on a page.
        let errorTitle: PageText
        /// Stands before an error, and before the title of a page with errors.
        let error: PageText
        let minutes: CountedText
        let hours: CountedText
        /// January to December, as they are written in a date.
        let months: [PageText]
        /// The first day of a month, as it is written in a date.
        let firstDay: PageText
        let date: PageText
        /// A time in UTC.
        let dateAndTime: PageText
        let back: PageText
        let tooManyCodes: PageText
        let emailLabel: PageText
        let emailMissing: PageText
        let emailInvalid: PageText
        let signInAgain: Message
        let signInAgainButton: PageText
    }

    struct Email: Sendable {
        let title: PageText
        /// The title when the person signs in to manage the account.
        let titleOfAccount: PageText
        let intro: PageText
        let privacy: PageText
        let keep: PageText
        let keepHint: PageText
        let submit: PageText
        let providersTitle: PageText
        let provider: PageText
        /// The same for a person whom a proxy knows.
        let person: PageText
        let notSent: PageText
    }

    struct Code: Sendable {
        let title: PageText
        let titleOfAddition: PageText
        let titleOfRefusal: PageText
        let signingIn: PageText
        let sent: PageText
        let sentAgain: PageText
        let label: PageText
        let hint: PageText
        let submit: PageText
        let noCodeTitle: PageText
        let noCode: PageText
        let another: PageText
        let passTitle: PageText
        let passLabel: PageText
        let passHint: PageText
        let otherAddress: PageText
        let missing: PageText
        let wrong: PageText
        let expired: PageText
    }

    struct Consent: Sendable {
        let title: PageText
        let meaning: PageText
        /// Stands before the application's own wording.
        let wording: PageText
        let yes: PageText
        let no: PageText
        let later: PageText
    }

    struct LinkIdentity: Sendable {
        let title: PageText
        let proved: PageText
        let meaning: PageText
        let yes: PageText
        let no: PageText
    }

    struct NewAccount: Sendable {
        let title: PageText
        let intro: PageText
        let givenName: PageText
        let familyName: PageText
        let submit: PageText
        let tooLong: PageText
    }

    struct Done: Sendable {
        let title: PageText
        let redirect: PageText
        let link: PageText
        let window: PageText
        let lost: PageText
        let withoutScript: PageText
        let signedOut: Message
        let erased: Message
    }

    struct Errors: Sendable {
        let linkExpired: Message
        let formRejected: Message
        let applicationUnknown: Message
        let returnURLNotRegistered: Message
        let originNotRegistered: Message
        let accountSuspended: Message
        let providerFailed: Message
        let tooManyRequests: Message
        let serviceUnavailable: Message
        let pageNotFound: Message
        /// Stands before a technical detail.
        let detail: PageText
        let startAgain: PageText
    }

    struct Account: Sendable {
        let title: PageText
        let signOut: PageText
        let changed: Changed
        let addressesTitle: PageText
        let verified: PageText
        let notVerified: PageText
        let verify: PageText
        let remove: PageText
        let addLabel: PageText
        let add: PageText
        let claimsTitle: PageText
        let claim: PageText
        let claimUntil: PageText
        let claimRefused: PageText
        let claimDisputed: PageText
        let refuse: PageText
        let applicationsTitle: PageText
        let noApplications: PageText
        let granted: PageText
        let denied: PageText
        let undetermined: PageText
        let hide: PageText
        let allow: PageText
        let devicesTitle: PageText
        let noDevices: PageText
        let thisDevice: PageText
        let signedInOn: PageText
        let lastUsedOn: PageText
        let signOutDevice: PageText
        let signOutEverywhere: PageText
        let dataTitle: PageText
        let export: PageText
        let erase: PageText
    }

    /// What the account page says after a change.
    struct Changed: Sendable {
        let addressAdded: PageText
        let addressClaimed: PageText
        let addressRemoved: PageText
        let claimRefused: PageText
        let identityRemoved: PageText
        let discoverability: PageText
        let signedOut: PageText
    }

    struct Confirm: Sendable {
        let erase: Message
        let eraseUndo: PageText
        let eraseExport: PageText
        let word: PageText
        let wordLabel: PageText
        let wordWrong: PageText
        let eraseButton: PageText
        let signOutEverywhere: Message
        let signOutEverywhereButton: PageText
        let refuse: Message
        let refuseButton: PageText
        let removeAddress: Message
        let removeAddressButton: PageText
        let cancel: PageText
    }

    struct Export: Sendable {
        let title: PageText
        let content: PageText
        let care: PageText
        let submit: PageText
    }

    struct Mail: Sendable {
        let codeSubject: PageText
        let codeSignIn: PageText
        let codeAddition: PageText
        let codeRefusal: PageText
        let validity: PageText
        let pass: PageText
        let notYou: PageText
        let claimSubject: PageText
        let claim: PageText
        let claimWait: PageText
        let claimRefuse: PageText
        let claimMailbox: PageText
        let claimYours: PageText
        let identitySubject: PageText
        let identity: PageText
        let identityRemove: PageText
    }
}
