import ArgumentParser
import Kinfolk

/// What the notifications of a subscription tell.
struct NotificationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Fields that a notification brings along, with commas between them.", valueName: "fields")
    )
    var keys: FieldList = FieldList()

    @Option(help: ArgumentHelp("The text of an alert.", valueName: "text"))
    var alertBody = ""

    @Option(help: ArgumentHelp("The key of a localized text.", valueName: "key"))
    var alertKey = ""

    @Option(help: ArgumentHelp("Fields whose values go into that text.", valueName: "fields"))
    var alertArgs: FieldList = FieldList()

    @Option(help: ArgumentHelp("The title of an alert.", valueName: "text"))
    var title = ""

    @Option(help: ArgumentHelp("The key of a localized title.", valueName: "key"))
    var titleKey = ""

    @Option(help: ArgumentHelp("Fields whose values go into that title.", valueName: "fields"))
    var titleArgs: FieldList = FieldList()

    @Option(help: ArgumentHelp("The subtitle of an alert.", valueName: "text"))
    var subtitle = ""

    @Option(help: ArgumentHelp("The key of a localized subtitle.", valueName: "key"))
    var subtitleKey = ""

    @Option(help: ArgumentHelp("Fields whose values go into that subtitle.", valueName: "fields"))
    var subtitleArgs: FieldList = FieldList()

    @Option(help: ArgumentHelp("The key of the title of an alert's button.", valueName: "key"))
    var actionKey = ""

    @Option(help: ArgumentHelp("An image to show while the application starts.", valueName: "name"))
    var launchImage = ""

    @Option(help: ArgumentHelp("The name of a sound.", valueName: "name"))
    var sound = ""

    @Option(help: ArgumentHelp("The category of an alert, which decides its buttons.", valueName: "name"))
    var category = ""

    @Option(help: ArgumentHelp("Notifications with the same key are shown as one.", valueName: "key"))
    var collapseID = ""

    @Flag(help: "The application's badge counts the notifications.")
    var badge = false

    @Flag(help: "The application fetches content in the background.")
    var contentAvailable = false

    @Flag(help: "The application may change an alert before it is shown.")
    var mutableContent = false

    var info: NotificationInfo {
        var info = NotificationInfo()
        info.desiredKeys = keys.names
        info.alertBody = alertBody
        info.alertLocalizationKey = alertKey
        info.alertLocalizationArgs = alertArgs.names
        info.title = title
        info.titleLocalizationKey = titleKey
        info.titleLocalizationArgs = titleArgs.names
        info.subtitle = subtitle
        info.subtitleLocalizationKey = subtitleKey
        info.subtitleLocalizationArgs = subtitleArgs.names
        info.alertActionLocalizationKey = actionKey
        info.alertLaunchImage = launchImage
        info.soundName = sound
        info.category = category
        info.collapseIDKey = collapseID
        info.shouldBadge = badge
        info.shouldSendContentAvailable = contentAvailable
        info.shouldSendMutableContent = mutableContent
        return info
    }

    /// Names of fields on the command line, with commas between them.
    struct FieldList: ExpressibleByArgument {
        var names: [String] = []

        init() {}

        init(argument: String) { names = argument.split(separator: ",").map(String.init) }

        var defaultValueDescription: String { "" }
    }
}
