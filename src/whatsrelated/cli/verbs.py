"""The verbs of the command: ours, and those of installed packages.

A verb is a click command. Another package adds a verb through an entry point in the group
`whatsrelated.verbs`, in the form of a line of the table: `package.module:command`. The summaries of
our verbs are here, so `related --help` does not have to import them.
"""

from __future__ import annotations

import click

from whatsrelated.errors import OptionError
from whatsrelated.registry import Registry

CORE = "whatsrelated.cli"
APPS = "whatsrelated.apps"

GROUPS = {
    "Start": {
        "demo": (f"{CORE}.demo", "Try it on the sample Web that comes with the program."),
        "build": (f"{CORE}.build", "Build a graph from links, pages or notes."),
        "to": (f"{CORE}.to", "Find the pages related to a page."),
        "serve": (f"{APPS}.serve.verb", "Serve a graph over HTTP, with a page to browse it."),
    },
    "Your site": {
        "site": (f"{APPS}.site.verb", "Write related pages into every page of a built site."),
        "publish": (
            f"{APPS}.publish.verb",
            "Write the web page of a graph as static files, for any host.",
        ),
        "gaps": (
            f"{APPS}.gaps.verb",
            "Find the links a site is missing and the pages that are hard to reach.",
        ),
        "mentions": (
            f"{APPS}.mentions.verb",
            "List the unlinked mentions of a page, and what it mentions without linking.",
        ),
        "crawl": (f"{APPS}.crawl.verb", "Crawl a site politely and build its graph."),
        "watch": (f"{APPS}.watch.verb", "Keep the graph of a folder up to date while you edit."),
        "obsidian": (f"{APPS}.notes.verb", "Install the plug-in for Obsidian into a vault."),
    },
    "Explore": {
        "pages": (f"{CORE}.pages", "List pages, or find them by words."),
        "links": (f"{CORE}.links", "List the links to and from a page."),
        "common": (f"{CORE}.common_links", "List the neighbours that several pages share."),
        "path": (f"{CORE}.path", "Show the shortest chains of links between pages."),
        "compare": (f"{CORE}.compare", "Compare the results of several methods."),
        "similarity": (f"{CORE}.similarity", "Show how similar pages are, pair by pair."),
        "rank": (f"{CORE}.rank", "Rank all pages of a graph."),
        "info": (f"{CORE}.info", "Describe a graph and how it was built."),
    },
    "Many pages and other programs": {
        "all": (f"{APPS}.batch.verb", "Write the related pages of every page."),
        "export": (f"{APPS}.export.verb", "Write a graph in a format for other programs."),
        "mcp": (f"{APPS}.mcp.verb", "Answer AI agents over the Model Context Protocol."),
    },
    "Measure": {
        "evaluate": (f"{APPS}.evaluate.verb", "Measure methods against known related pages."),
        "study": (
            f"{APPS}.study.verb",
            "Run a blind study: people rate results without knowing which method found them.",
        ),
        "diff": (
            f"{APPS}.diff.verb",
            "Show what changed between two graphs or two sets of answers.",
        ),
    },
    "Maintain": {
        "update": (f"{CORE}.update", "Update a graph with pages that have changed."),
        "doctor": (f"{CORE}.doctor", "Check the installation and the graph, and suggest fixes."),
    },
    "Seldom needed": {
        "check": (f"{CORE}.check", "Verify every file of a graph."),
        "pack": (f"{CORE}.pack", "Compress the links of a graph."),
        "config": (f"{CORE}.config", "Show which options are set, and where."),
        "token": (f"{APPS}.serve.token_verb", "Create an access token for a server."),
        "completion": (f"{CORE}.completion", "Print the completion script for a shell."),
        "spark": (f"{APPS}.spark.verb", "Build and rank graphs on a Spark cluster."),
    },
}
"""Our verbs, grouped as in `related --help`: the module of each, and a summary."""

_OURS = {name: verb for verbs in GROUPS.values() for name, verb in verbs.items()}

VERBS: Registry[click.Command] = Registry(
    "verb",
    "whatsrelated.verbs",
    {name: f"{module}:command" for name, (module, _) in _OURS.items()},
    click.Command,
)


def summaries() -> dict[str, dict[str, str]]:
    """One line per verb, by group, or a note if the verb cannot be loaded."""
    groups = {
        group: {name: text for name, (_, text) in verbs.items()} for group, verbs in GROUPS.items()
    }
    for name in VERBS.installed:
        try:
            line = VERBS[name].get_short_help_str(limit=80)
        except OptionError as error:
            line = str(error)
        groups.setdefault("Installed", {})[name] = line
    return groups
