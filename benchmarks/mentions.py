"""How good are suggested links for mentions?  Links become plain words, then are searched for.

    python -m benchmarks.mentions NAME=FOLDER… [--seeds 0,1] [--share 0.1]

Each FOLDER is copied.  In the copy, a random tenth of the links between its pages become plain
words: all links from the page to the same target.  Links whose words are not in the file, or would
be in code or in a heading, where no link is suggested, stay, as do those of index pages; a link
that is also in a menu does not count.  The copy is then read as
`related gaps FOLDER --places` reads it, so nothing is known about the removed links.  A suggestion
is right if the page had that link; every other one counts as wrong, even if a reader would agree
with it.  The figures are

- *P@50*: the share of correct suggestions among the first 50, and *best*, the largest value
  possible if fewer than 50 links were removed;
- *P.40*: the share of correct suggestions down to a recall of .40;
- *words*: the same among the first 200 with exactly the words of a removed link;
- *all*: the share of the removed links among all suggestions;
- *score* and *true*: the mean score and the share of correct suggestions, among those with a
  score of at least .5 in another draw that was not used to fit the weights.

*trial* is the plain dictionary.  Its score is the share of the words' occurrences that are links,
times the share of these links that lead to this target; a title counts as one more link.  It uses
neither the graph nor the text around the words.

--fit prints the weights that fit all sites together, with about as many links from each: `USUAL`.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from html import unescape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import whatsrelated as wr
from benchmarks.measure import table
from whatsrelated.apps.gaps.structure import SiteStructure
from whatsrelated.apps.mentions.corpus import Corpus, SourceText, scan_text
from whatsrelated.apps.mentions.finder import TAG, MentionFinder, folder_of
from whatsrelated.apps.mentions.scan import SourceLink
from whatsrelated.apps.mentions.scoring import FEATURES, MAX_DRAWS, fit, probability
from whatsrelated.apps.mentions.words import fold

Suggestion = tuple[float, str, str, str]
"""Score, file, target and words."""
Removed = dict[tuple[str, str], set[str]]
"""The words of the removed links, by file and target."""
HEADS = [
    *("removed", "P@50", "best", "P@200", "P.40", "words", "all"),
    *("score", "true", "seconds"),
]
RECALL = 0.4
LIKELY = 0.5
PER_SITE = 250
"""About how many removed links of each site the weights are fitted on."""


def hold_out(folder: Path, copy: Path, share: float, seed: int) -> Removed:
    """Copy a folder with some of its links as plain words, and return where these words are."""
    shutil.copytree(folder, copy, symlinks=False, ignore_dangling_symlinks=True)
    with wr.build([copy], copy.with_suffix(".graph")) as graph:
        site = SiteStructure(graph.store)
        corpus = Corpus(graph.store, folder_of(graph.store))
        sources, targets = site.ends
        inside = site.is_page[sources] & site.is_page[targets] & (sources != targets)
        pairs = set(zip(sources[inside].tolist(), targets[inside].tolist(), strict=True))
        rng = np.random.default_rng(seed)
        removed: Removed = {}
        for text in corpus.texts:
            if not site.is_index[text.page]:
                removed |= _without_links(text, corpus, pairs, rng, share, copy)
    return removed


def _without_links(
    text: SourceText,
    corpus: Corpus,
    pairs: set[tuple[int, int]],
    rng: np.random.Generator,
    share: float,
    copy: Path,
) -> Removed:
    whole, found = text.decoded.text, defaultdict(list)
    for link, target in zip(text.scan.links, text.targets, strict=True):
        if (text.page, target) in pairs:
            found[target].append(link)
    chosen = [
        (link, target)
        for target, links in sorted(found.items())
        if rng.random() < share and all(_has_words(whole, link) for link in links)
        for link in links
    ]
    new, places = _with_words(whole, chosen)
    spans = [(span.start, span.end) for span in scan_text(corpus.folder, text.path, new).spans]
    hidden = {target for target, start, end in places if not _inside(spans, start, end)}
    chosen = [(link, target) for link, target in chosen if target not in hidden]
    new, places = _with_words(whole, chosen)
    removed: Removed = defaultdict(set)
    for target, start, end in places:
        removed[text.path, corpus.store.url(target)].add(plain(new[start:end]))
    if removed:
        (copy / text.path).write_bytes(text.decoded.encode(new))
    return dict(removed)


def _with_words(
    whole: str, chosen: Iterable[tuple[SourceLink, int]]
) -> tuple[str, list[tuple[int, int, int]]]:
    """The text with the words of these links instead, and the target and place of each."""
    new, place, places = "", 0, []
    for link, target in sorted(chosen, key=lambda one: one[0].start):
        if link.start < place:
            continue
        words = whole[link.words_start : link.words_end]
        if link.style == "macro" and link.is_code:
            words = f"`{words}`"
        new += whole[place : link.start]
        places.append((target, len(new), len(new) + len(words)))
        new += words
        place = link.end
    return new + whole[place:], places


def _inside(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether some of these words are text that may become a link."""
    row = bisect_right(spans, (start, end))
    return any(first < end and start < last for first, last in spans[max(row - 1, 0) : row + 1])


def plain(text: str) -> str:
    """Words without markup."""
    return fold(unescape(TAG.sub("", text)).replace("`", ""))


def _has_words(whole: str, link: SourceLink) -> bool:
    words = whole[link.words_start : link.words_end]
    return bool(words) and "\n\n" not in words


def trial(corpus: Corpus) -> Iterable[Suggestion]:
    """The suggestions of the plain dictionary, unsorted."""
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    occurrences = Counter(one.phrase for found in corpus.occurrences for one in found)
    linked: Counter[int] = Counter()
    have: set[tuple[int, int]] = set()
    for text in corpus.texts:
        for link, target in zip(text.scan.links, text.targets, strict=True):
            phrase = corpus.table.number(link.words, link.is_code)
            have.add((text.page, target))
            if phrase is not None and target >= 0 and target != text.page:
                counts[phrase][target] += 1
                linked[phrase] += 1
    is_page = SiteStructure(corpus.store).is_page
    rows = corpus.dictionary
    for phrase, target, title in zip(*(rows[i].tolist() for i in range(3)), strict=True):
        counts[phrase][target] += title
    for text, found in zip(corpus.texts, corpus.occurrences, strict=True):
        for one in found:
            targets = counts[one.phrase]
            for target, count in targets.items():
                if is_page[target] and target != text.page and (text.page, target) not in have:
                    total = sum(targets.values())
                    score = total / (total + occurrences[one.phrase]) * count / total
                    words = plain(text.decoded.text[one.start : one.end])
                    yield score, text.path, corpus.store.url(target), words


def ours(finder: MentionFinder) -> Iterable[Suggestion]:
    """The suggestions of `related mentions`."""
    for one in finder.ranked:
        text = finder.corpus.texts[finder.corpus.by_page[one.page]]
        words = plain(text.decoded.text[one.start : one.end])
        yield one.score, text.path, finder.store.url(one.target), words


def figures(suggestions: Iterable[Suggestion], removed: Removed) -> list[float]:
    """The figures of one list, in the order of `HEADS`, except the last three."""
    ranked: dict[tuple[str, str], str] = {}
    for _, path, target, words in sorted(suggestions, key=lambda one: (-one[0], one[1:])):
        ranked.setdefault((path, target), words)
    right = np.array([pair in removed for pair in ranked] or [False])
    exact = np.array([words in removed.get(pair, ()) for pair, words in ranked.items()])
    hits = np.cumsum(right)
    reached = np.flatnonzero(hits >= RECALL * len(removed))
    first = right[:200]
    return [
        len(removed),
        right[:50].mean(),
        min(50, int(hits[-1])) / 50,
        first.mean(),
        hits[reached[0]] / (reached[0] + 1) if len(reached) else 0.0,
        exact[:200][first].mean() if first.any() else 0.0,
        hits[-1] / max(len(removed), 1),
    ]


def measure(folder: Path, share: float, seed: int) -> dict[str, list[float]]:
    """The figures of the plain dictionary and of ours for one site."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, folder.name)
        removed = hold_out(folder.resolve(), copy, share, seed)
        with wr.build([copy], Path(scratch, "held.graph")) as graph:
            index = SiteStructure(graph.store).is_index
            removed = _only_missing(removed, graph)
            started = time.process_time()
            finder = MentionFinder(graph.store, folder_of(graph.store))
            read = time.process_time()
            names = {text.path for text in finder.corpus.texts if index[text.page]}
            simple = [one for one in trial(finder.corpus) if one[1] not in names]
            tried = time.process_time()
            best = [one for one in ours(finder) if one[1] not in names]
            done = time.process_time()
            scores = calibration(finder)
    return {
        "trial": [*figures(simple, removed), np.nan, np.nan, tried - started],
        "ours": [*figures(best, removed), *scores, done - tried + read - started],
    }


def _only_missing(removed: Removed, graph: wr.Graph) -> Removed:
    """Drop pages that still link to the target, from a menu or a heading."""
    pages = {text: graph.page(text) for pair in removed for text in pair}
    return {
        (path, target): words
        for (path, target), words in removed.items()
        if pages[target] not in graph.links_from(pages[path])
    }


def calibration(finder: MentionFinder) -> tuple[float, float]:
    """The mean score and the share of correct ones among likely links, in a separate draw."""
    features, true = finder.reader.trial(MAX_DRAWS)
    scores = probability(features, fit(*finder.reader.trials()))
    likely = scores >= LIKELY
    if not likely.any():
        return float("nan"), float("nan")
    return float(scores[likely].mean()), float(true[likely].mean())


def fitted(folders: Iterable[Path]) -> NDArray[np.float64]:
    """The weights that fit these sites, starting from zero."""
    features, true = [], []
    for folder in folders:
        with (
            tempfile.TemporaryDirectory() as scratch,
            wr.build([folder], Path(scratch, "site.graph")) as graph,
        ):
            known, was_right = MentionFinder(graph.store, folder_of(graph.store)).reader.trials()
        step = max(1, round(was_right.sum() / PER_SITE))
        features.append(known[::step])
        true.append(was_right[::step])
    start = np.zeros(len(FEATURES))
    start[0] = -3
    return fit(np.concatenate(features), np.concatenate(true), start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sites", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--seeds", default="0")
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    if options.fit:
        weights = fitted(Path(site.partition("=")[2]).resolve() for site in options.sites)
        print(dict(zip(FEATURES, weights.round(2).tolist(), strict=True)))
        return
    totals: dict[str, list[list[float]]] = defaultdict(list)
    rows = []
    for site in options.sites:
        name, _, folder = site.partition("=")
        draws = [
            measure(Path(folder), options.share, int(seed)) for seed in options.seeds.split(",")
        ]
        for who in draws[0]:
            mean = np.mean([draw[who] for draw in draws], axis=0).tolist()
            totals[who].append(mean)
            rows.append([name, who, *_shown(mean)])
            print(*rows[-1], flush=True)
    for who, listed in totals.items():
        rows.append(["mean", who, *_shown(np.mean(listed, axis=0).tolist())])
    table("Removed links that are suggested again", ["site", "by", *HEADS], rows)


def _shown(figures: list[float]) -> list[str]:
    shares = ["" if np.isnan(one) else f"{one:.2f}" for one in figures[1:-1]]
    return [f"{figures[0]:.0f}", *shares, f"{figures[-1]:.1f}"]


if __name__ == "__main__":
    main()
