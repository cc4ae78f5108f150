"""A small site whose links say what its words mean, in several formats."""

from __future__ import annotations

from pathlib import Path

TOPICS = ("kettle", "teapot", "milk", "sugar", "lemon", "honey")


def vault(folder: Path, style: str = "[{0}]({0}.md)", suffix: str = ".md") -> Path:
    """Pages that link to each topic by its name; `plain` mentions all of them without a link."""
    for topic in TOPICS:
        (folder / f"{topic}{suffix}").write_text(f"# {topic.title()}\n\nAbout {topic}.\n")
    for number in range(24):
        links = " and ".join(
            style.format(topic) for i, topic in enumerate(TOPICS) if (number + i) % 3
        )
        (folder / f"brew{number}{suffix}").write_text(
            f"# Brew {number}\n\nYou need the {links} for this.\n"
        )
    (folder / f"plain{suffix}").write_text(
        "# Plain\n\nFill the kettle, then warm the teapot.\n"
        "The kettle `milk` is [sugar](sugar.md).\n"
    )
    return folder
