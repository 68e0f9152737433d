import CKinfolk
import Kinfolk

// One number for each property, because C would need three functions for each.

extension NotificationInfo {
    /// The text that has this number in C; nil for another number.
    static func text(_ which: kinfolk_info_text) -> WritableKeyPath<NotificationInfo, String>? {
        switch which {
        case KINFOLK_INFO_ALERT_BODY: \.alertBody
        case KINFOLK_INFO_ALERT_LOCALIZATION_KEY: \.alertLocalizationKey
        case KINFOLK_INFO_TITLE: \.title
        case KINFOLK_INFO_TITLE_LOCALIZATION_KEY: \.titleLocalizationKey
        case KINFOLK_INFO_SUBTITLE: \.subtitle
        case KINFOLK_INFO_SUBTITLE_LOCALIZATION_KEY: \.subtitleLocalizationKey
        case KINFOLK_INFO_ALERT_ACTION_LOCALIZATION_KEY: \.alertActionLocalizationKey
        case KINFOLK_INFO_ALERT_LAUNCH_IMAGE: \.alertLaunchImage
        case KINFOLK_INFO_SOUND_NAME: \.soundName
        case KINFOLK_INFO_CATEGORY: \.category
        case KINFOLK_INFO_COLLAPSE_ID_KEY: \.collapseIDKey
        default: nil
        }
    }

    /// The list with a number of C.
    static func list(_ which: kinfolk_info_list) throws(KinfolkError) -> WritableKeyPath<NotificationInfo, [String]> {
        switch which {
        case KINFOLK_INFO_DESIRED_KEYS: return \.desiredKeys
        case KINFOLK_INFO_ALERT_LOCALIZATION_ARGS: return \.alertLocalizationArgs
        case KINFOLK_INFO_TITLE_LOCALIZATION_ARGS: return \.titleLocalizationArgs
        case KINFOLK_INFO_SUBTITLE_LOCALIZATION_ARGS: return \.subtitleLocalizationArgs
        default: throw KinfolkError(.invalidArgument, "A notification has no such list.")
        }
    }

    /// The flag that has this number in C; nil for another number.
    static func flag(_ which: kinfolk_info_flag) -> WritableKeyPath<NotificationInfo, Bool>? {
        switch which {
        case KINFOLK_INFO_SHOULD_BADGE: \.shouldBadge
        case KINFOLK_INFO_SHOULD_SEND_CONTENT_AVAILABLE: \.shouldSendContentAvailable
        case KINFOLK_INFO_SHOULD_SEND_MUTABLE_CONTENT: \.shouldSendMutableContent
        default: nil
        }
    }
}
