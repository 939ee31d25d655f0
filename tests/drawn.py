"""Reading pictures: elements with the place that the groups around them give them, and what every picture must keep to."""

import re
import xml.etree.ElementTree as ElementTree


def elements(svg):
    """Every element with the translation it is drawn at, in the order of drawing."""

    def walk(element, x, y):
        moved = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        yield element, x, y
        for child in element:
            yield from walk(child, x, y)

    yield from walk(ElementTree.fromstring(svg), 0.0, 0.0)


def tag(element):
    return element.tag.rpartition("}")[2]


def touches(svg):
    """The touches that a document offers, as often as it does."""
    return [element.get("data-touch") for element, *_ in elements(svg) if element.get("data-touch")]


def touches_of(picture):
    return [touch for svg in documents(picture) for touch in touches(svg)]


def pieces(svg):
    """Where each piece is."""
    return {element.get("data-piece"): (x, y) for element, x, y in elements(svg) if element.get("data-piece")}


def documents(picture):
    """The documents of a picture, the board first."""
    return [picture.board, *(part.svg for part in picture.beside)]


def faults(picture):
    """What a page with a strict policy could not show, or would show wrongly."""
    found, defined = [], {}
    for svg in documents(picture):
        names = []
        for element, *_ in elements(svg):
            kind = tag(element)
            found += [f"<{kind}>" for kind in (kind,) if kind in ("style", "script", "foreignObject", "image", "use", "a")]
            found += [name for name in element.attrib if name == "style" or name.startswith("on") or name.endswith("href")]
            if element.get("data-piece"):
                names.append(element.get("data-piece"))
                found += [] if element.get("transform", "").startswith("translate(") else [f"{names[-1]} has no place"]
            if element.get("data-touch") and not element.get("aria-label", "").strip():
                found.append(f"{element.get('data-touch')} has no name")
            if element.get("class") == "ghost" and element.get("visibility") != "hidden":
                found.append("a ghost is not hidden")
            if element.get("id"):
                markup = ElementTree.tostring(element)
                found += (
                    [] if defined.setdefault(element.get("id"), markup) == markup else [f"two meanings of {element.get('id')}"]
                )
        found += [f"two pieces {name}" for name in set(names) if names.count(name) > 1]
        found += [f"{name} is not defined" for name in set(re.findall(r"url\(#([\w-]+)\)", svg)) - set(defined)]
    live = touches(picture.board)  # equal cards of a hand are touched alike
    return found + [f"two places to touch {touch}" for touch in set(live) if live.count(touch) > 1]


def luminance(colour):
    """Relative luminance, as WCAG defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
