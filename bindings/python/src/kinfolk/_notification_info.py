"""What a notification tells."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_char_p
from typing import Any, NamedTuple

from . import _arguments as arguments
from . import _declarations as c
from . import _field_values as fields
from ._documented import documented
from ._ffi import lib
from ._info_fields import InfoFlag, InfoList, InfoText
from ._outputs import text


@documented
class NotificationInfo(NamedTuple):
    """What the notifications of a subscription tell, as in CloudKit's CKSubscription.NotificationInfo.

    Kinfolk carries these values to the devices of the subscription's user. What a device shows is up to the
    application.

        info = kinfolk.NotificationInfo(alert_body="A new message", sound_name="bell", should_badge=True)

    The texts together have at most 4,096 bytes, and each list has at most 100 names.

    alert_body                     The text of an alert.
    alert_localization_key         The key of a localized text.
    alert_localization_args        The fields whose values go into it. A notification has the values as texts.
    title                          The title of an alert.
    title_localization_key         The key of a localized title.
    title_localization_args        The fields whose values go into it. A notification has the values as texts.
    subtitle                       The subtitle of an alert.
    subtitle_localization_key      The key of a localized subtitle.
    subtitle_localization_args     The fields whose values go into it. A notification has the values as texts.
    alert_action_localization_key  The key of the localized title of an alert's button.
    alert_launch_image             The name of an image to show while the application starts.
    sound_name                     The name of a sound.
    category                       The category of an alert, which decides its buttons.
    collapse_id_key                Which notifications the application shows as one.
    desired_keys                   The fields whose values a notification has.
    should_badge                   Whether the application's badge counts the notification.
    should_send_content_available  Whether the application should fetch content in the background.
    should_send_mutable_content    Whether the application may change the alert before it is shown.
    """

    alert_body: str = ""
    alert_localization_key: str = ""
    alert_localization_args: tuple[str, ...] = ()
    title: str = ""
    title_localization_key: str = ""
    title_localization_args: tuple[str, ...] = ()
    subtitle: str = ""
    subtitle_localization_key: str = ""
    subtitle_localization_args: tuple[str, ...] = ()
    alert_action_localization_key: str = ""
    alert_launch_image: str = ""
    sound_name: str = ""
    category: str = ""
    collapse_id_key: str = ""
    desired_keys: tuple[str, ...] = ()
    should_badge: bool = False
    should_send_content_available: bool = False
    should_send_mutable_content: bool = False

    def __repr__(self) -> str:
        # Without the texts: what is printed ends up in logs.
        return "<kinfolk.NotificationInfo>"


def set_info(subscription: Any, info: NotificationInfo) -> None:
    """Sets what the notifications of a kinfolk_subscription tell."""
    if not isinstance(info, NotificationInfo):
        raise arguments.wrong_type("info", "a kinfolk.NotificationInfo", info)
    for each in InfoText:
        name = each.name.lower()
        if encoded := arguments.text(getattr(info, name), name):
            lib.kinfolk_subscription_set_text(subscription, each, encoded)
    for which in InfoList:
        name = which.name.lower()
        keys = names(getattr(info, name), name)
        if keys:
            lib.kinfolk_subscription_set_list(subscription, which, (c_char_p * len(keys))(*keys), len(keys))
    for flag in InfoFlag:
        name = flag.name.lower()
        if arguments.boolean(getattr(info, name), name):
            lib.kinfolk_subscription_set_flag(subscription, flag, True)


def names(keys: Any, what: str) -> list[bytes]:
    """The names of fields."""
    if isinstance(keys, (str, bytes)):
        raise arguments.wrong_type(what, "a list of str", keys)
    return [arguments.text(each, f"an element of {what}") for each in keys]


def read_info(pointer: Any, kind: str) -> NotificationInfo:
    """What a kinfolk_subscription or a kinfolk_notification tells."""
    found: dict[str, Any] = {}
    get_text, get_flag = getattr(lib, f"kinfolk_{kind}_text"), getattr(lib, f"kinfolk_{kind}_flag")
    for each in InfoText:
        found[each.name.lower()] = text(get_text(pointer, each))
    for which in InfoList:
        found[which.name.lower()] = _list(getattr(lib, f"kinfolk_{kind}_get_list"), pointer, which)
    for flag in InfoFlag:
        found[flag.name.lower()] = get_flag(pointer, flag)
    return NotificationInfo(**found)


def _list(get: Callable[..., None], pointer: Any, which: InfoList) -> tuple[str, ...]:
    value = c.Value()
    get(pointer, which, byref(value))
    texts: tuple[str, ...] = fields.take(value)
    return texts
