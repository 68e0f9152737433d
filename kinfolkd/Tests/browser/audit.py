"""What must be true of every page, whoever looks at it."""

from __future__ import annotations

from chromium import Page

# Returns the problems of a page as texts. Contrast is that of WCAG 2.2, 1.4.3, and is computed from the styles that the browser uses.
AUDIT = r"""(() => {
    const problems = [];
    const shown = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true});
    const name = (element) => `${element.tagName.toLowerCase()} ${element.id || element.className || element.textContent.trim().slice(0, 40)}`;

    if (!document.documentElement.lang) problems.push("the page has no language");
    if (!document.title.trim()) problems.push("the page has no title");
    if (document.querySelectorAll("h1").length !== 1) problems.push("the page does not have exactly one h1");
    if (document.querySelectorAll("main").length !== 1) problems.push("the page does not have exactly one main");
    const ids = Array.from(document.querySelectorAll("[id]"), (element) => element.id);
    if (new Set(ids).size !== ids.length) problems.push(`two elements have the same id: ${ids}`);

    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) problems.push(`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);

    for (const element of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
        const label = Array.from(element.labels).map((each) => each.textContent.trim()).join(" ");
        if (!label) problems.push(`no label: ${name(element)}`);
    }
    for (const element of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
        for (const attribute of ["aria-labelledby", "aria-describedby"]) {
            for (const id of (element.getAttribute(attribute) ?? "").split(" ").filter(Boolean)) {
                if (!document.getElementById(id)) problems.push(`${attribute} names nothing: ${id}`);
            }
        }
    }
    for (const element of document.querySelectorAll("a[href], button, summary, input:not([type=hidden])")) {
        if (!shown(element)) continue;
        const box = element.getBoundingClientRect();
        // WCAG 2.2, 2.5.8, which exempts links in a sentence.
        const inline = element.tagName === "A" && getComputedStyle(element).display === "inline";
        if (!inline && Math.min(box.width, box.height) < 24) problems.push(`too small to hit: ${name(element)}`);
    }

    const canvas = Object.assign(document.createElement("canvas"), {width: 1, height: 1});
    const context = canvas.getContext("2d", {willReadFrequently: true});
    const colors = new Map();
    const color = (text) => { // red, green and blue from 0 to 1, and alpha
        if (!colors.has(text)) {
            context.clearRect(0, 0, 1, 1);
            context.fillStyle = text;
            context.fillRect(0, 0, 1, 1);
            colors.set(text, Array.from(context.getImageData(0, 0, 1, 1).data, (value) => value / 255));
        }
        return colors.get(text);
    };
    const luminance = ([red, green, blue]) => [red, green, blue]
        .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
        .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (one, other) => {
        const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const probe = document.body.appendChild(document.createElement("div"));
    probe.style.backgroundColor = "Canvas"; // what the browser paints behind the page, in light or dark
    const canvasColor = color(getComputedStyle(probe).backgroundColor);
    probe.remove();
    const background = (element) => {
        for (let each = element; each; each = each.parentElement) {
            const found = color(getComputedStyle(each).backgroundColor);
            if (found[3] === 1) return found;
            if (found[3] > 0) problems.push(`a background that is half transparent: ${name(each)}`);
        }
        return canvasColor;
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let count = 0;
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName) || !shown(element)) continue;
        const ratio = contrast(color(getComputedStyle(element).color), background(element));
        if (ratio < 4.5) problems.push(`contrast ${ratio.toFixed(2)}: ${name(element)}`);
        count += 1;
    }
    if (!count) problems.push("the page has no text");
    for (const element of document.querySelectorAll("input:not([type=hidden]):not([type=checkbox])")) {
        if (!shown(element)) continue;
        const [text, border] = [getComputedStyle(element).color, getComputedStyle(element).borderTopColor].map(color);
        if (contrast(text, background(element)) < 4.5) problems.push(`contrast of what is typed: ${name(element)}`);
        if (contrast(border, background(element.parentElement)) < 3) problems.push(`contrast of the border: ${name(element)}`);
    }
    return problems;
})()"""

FOCUS = """(() => {
    const element = document.activeElement, style = getComputedStyle(element);
    return {
        name: element.id || element.name || element.textContent.trim(),
        tag: element.tagName.toLowerCase(),
        isVisible: element.matches(":focus-visible") && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    };
})()"""


def problems(page: Page, language: str) -> list[str]:
    """What is wrong with the page that is shown."""
    found = page.evaluate(AUDIT)
    actual = page.evaluate("document.documentElement.lang")
    return found + ([] if actual == language else [f"the language is {actual}, and not {language}"])


def check(page: Page, language: str = "en") -> None:
    """Fails if something is wrong with the page."""
    found = problems(page, language)
    assert not found, f"{page.url}\n" + "\n".join(found)
