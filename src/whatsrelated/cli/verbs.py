"""The verbs of the command: ours, and those of installed packages.

A verb is a click command.  Another package adds one with an entry point in the group
`whatsrelated.verbs`, whose value has the form of the table's lines: `package.module:command`.
Summaries of our verbs are here, so `related --help` imports none of them.
"""

from __future__ import annotations

import click

from whatsrelated.errors import OptionError
from whatsrelated.registry import Registry

CORE = "whatsrelated.cli"
APPS = "whatsrelated.apps"

_OURS = {
    "build": (f"{CORE}.build", "Build a graph from links, pages or notes."),
    "update": (f"{CORE}.update", "Update a graph with pages that have changed."),
    "watch": (f"{APPS}.watch.verb", "Keep the graph of a folder up to date while you edit."),
    "crawl": (f"{APPS}.crawl.verb", "Crawl a site politely and build its graph."),
    "to": (f"{CORE}.to", "Find the pages related to a page."),
    "all": (f"{APPS}.batch.verb", "Write the related pages of every page."),
    "rank": (f"{CORE}.rank", "Rank all pages of a graph."),
    "compare": (f"{CORE}.compare", "Compare the results of several methods."),
    "similarity": (f"{CORE}.similarity", "Show how similar pages are, pair by pair."),
    "pages": (f"{CORE}.pages", "List pages, or find them by words."),
    "common": (f"{CORE}.common_links", "List the neighbours that several pages share."),
    "links": (f"{CORE}.links", "List the links to and from a page."),
    "info": (f"{CORE}.info", "Describe a graph and how it was built."),
    "site": (f"{APPS}.site.verb", "Write related pages into every page of a built site."),
    "export": (f"{APPS}.export.verb", "Write a graph in a format for other programs."),
    "evaluate": (f"{APPS}.evaluate.verb", "Measure methods against known related pages."),
    "study": (
        f"{APPS}.study.verb",
        "Run a blind study: people rate results without knowing which method found them.",
    ),
    "gaps": (
        f"{APPS}.gaps.verb",
        "Find the links a site is missing and the pages that are hard to reach.",
    ),
    "diff": (f"{APPS}.diff.verb", "Show what changed between two graphs or two sets of answers."),
    "check": (f"{CORE}.check", "Verify every file of a graph."),
    "pack": (f"{CORE}.pack", "Compress the links of a graph."),
    "doctor": (f"{CORE}.doctor", "Check the installation and the graph, and suggest fixes."),
    "config": (f"{CORE}.config", "Show which options are set, and where."),
    "completion": (f"{CORE}.completion", "Print the completion script for a shell."),
    "serve": (f"{APPS}.serve.verb", "Serve a graph over HTTP, with a page to browse it."),
    "mcp": (f"{APPS}.mcp.verb", "Answer AI agents over the Model Context Protocol."),
    "obsidian": (f"{APPS}.notes.verb", "Install the plug-in for Obsidian into a vault."),
    "token": (f"{APPS}.serve.token_verb", "Create an access token for a server."),
    "spark": (f"{APPS}.spark.verb", "Build and rank graphs on a Spark cluster."),
    "demo": (f"{CORE}.demo", "Try it on the sample Web that comes with the program."),
}

VERBS: Registry[click.Command] = Registry(
    "verb",
    "whatsrelated.verbs",
    {name: f"{module}:command" for name, (module, _) in _OURS.items()},
    click.Command,
)


def summaries() -> dict[str, str]:
    """One line per verb; a verb that cannot be loaded says so."""
    lines = {name: text for name, (_, text) in _OURS.items()}
    for name in VERBS.installed:
        try:
            lines[name] = VERBS[name].get_short_help_str(limit=80)
        except OptionError as error:
            lines[name] = str(error)
    return lines
