"""The fields of NotificationInfo in C: each name in lower case is that of a field."""

from __future__ import annotations

from enum import IntEnum


class InfoText(IntEnum):
    """Texts."""

    ALERT_BODY = 1
    ALERT_LOCALIZATION_KEY = 2
    TITLE = 3
    TITLE_LOCALIZATION_KEY = 4
    SUBTITLE = 5
    SUBTITLE_LOCALIZATION_KEY = 6
    ALERT_ACTION_LOCALIZATION_KEY = 7
    ALERT_LAUNCH_IMAGE = 8
    SOUND_NAME = 9
    CATEGORY = 10
    COLLAPSE_ID_KEY = 11


class InfoList(IntEnum):
    """Names of fields of the record; in a notification, the values of the last three as texts."""

    DESIRED_KEYS = 1
    ALERT_LOCALIZATION_ARGS = 2
    TITLE_LOCALIZATION_ARGS = 3
    SUBTITLE_LOCALIZATION_ARGS = 4


class InfoFlag(IntEnum):
    """Flags."""

    SHOULD_BADGE = 1
    SHOULD_SEND_CONTENT_AVAILABLE = 2
    SHOULD_SEND_MUTABLE_CONTENT = 3
