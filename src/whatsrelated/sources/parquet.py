"""Parquet: one link per row, in two columns of strings or integers.

Or one page per row, as `related export` writes it: a column `url`, a column `links` of lists and,
optionally, `title`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from whatsrelated.errors import ReadError
from whatsrelated.machine.packages import load
from whatsrelated.sources.files import File
from whatsrelated.sources.reader import Item, ReadContext
from whatsrelated.sources.recognition import starts
from whatsrelated.sources.tables import TableReader, columns_by_words, describe_filters
from whatsrelated.stream import NamedLinks, Names, NumberedLinks

ROWS_AT_ONCE = 1 << 18
SAMPLE_ROWS = 100


@dataclass(frozen=True)
class ParquetReader(TableReader):
    """One link per row, in two columns; or one page with its list of links."""

    name = "parquet"
    sentence = "Parquet, a file or a folder: a link per row, or a page per row with its links"
    contents = starts(b"PAR1")

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        arrow = _arrow()
        if file.is_stream:
            raise ReadError("Parquet cannot be read from standard input; give the file.")
        try:
            with arrow.parquet.ParquetFile(file.path) as table:
                header = tuple(table.schema_arrow.names)
                if len(set(header)) < len(header):
                    raise ReadError(f"{file.label} has two columns with the same name; rename one.")
                if not self.columns and {"url", "links"} <= set(header):
                    yield from self._pages(arrow, table, header, file, context)
                else:
                    yield from self._links(arrow, table, header, file, context)
        except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
            reason = str(error).partition("\n")[0]
            raise ReadError(f"{file.label} is damaged or cut short: {reason:.120}.") from error

    def _links(
        self, arrow: Any, table: Any, header: tuple[str, ...], file: File, context: ReadContext
    ) -> Iterator[Item]:
        source, target = self.link_columns(file.label, header, len(header))
        filters = self.row_filters(file.label, header, len(header))
        kinds = [_kind(arrow, table.schema_arrow.field(place), file) for place in (source, target)]
        as_numbers = kinds == ["number", "number"]
        if not (self.columns or as_numbers or columns_by_words(header)):
            _require_urls(table, header, file)
        if context.numbers_only and not as_numbers:
            raise ReadError(
                f"{file.label} holds names; a names file can be used only with numbers."
            )
        columns = [header[place] for place in {source, target, *(place for place, _ in filters)}]
        held: list[tuple[Any, Any]] = []
        size = 0
        for batch in table.iter_batches(ROWS_AT_ONCE, columns=columns):
            rows = len(batch)
            for place, value in filters:
                chosen = batch.column(header[place]).cast(arrow.string())
                batch = batch.filter(arrow.compute.equal(chosen, value.decode()))
            if excluded := rows - len(batch):
                context.counter(self.name)[describe_filters(header, filters)] += excluded
            ends = [batch.column(header[place]) for place in (source, target)]
            ends = self._drop_nulls(arrow, ends, file, context)
            if as_numbers:
                yield from self._as_numbers(ends, file, context)
                continue
            texts = [end.cast(arrow.large_string()) for end in ends]
            held.append((texts[0], texts[1]))
            size += texts[0].nbytes + texts[1].nbytes
            if size > context.memory // 3:
                yield _intern_pairs(arrow, held)
                held, size = [], 0
        if held:
            yield _intern_pairs(arrow, held)

    def _drop_nulls(
        self, arrow: Any, ends: list[Any], file: File, context: ReadContext
    ) -> list[Any]:
        """Both columns, without rows in which either is null."""
        if not any(end.null_count for end in ends):
            return ends
        good = arrow.compute.and_(ends[0].is_valid(), ends[1].is_valid())
        bad = len(good) - good.sum().as_py()
        context.refuse("empty name", f"{file.label}: {bad:,} rows with a null", bad)
        return [end.filter(good) for end in ends]

    def _as_numbers(self, ends: list[Any], file: File, context: ReadContext) -> Iterator[Item]:
        sources, targets = (end.to_numpy(zero_copy_only=False) for end in ends)
        good = (sources >= 0) & (targets >= 0)
        if not good.all():
            bad = int((~good).sum())
            context.refuse("negative number", f"{file.label}: {bad:,} rows", bad)
        yield NumberedLinks(sources[good].astype(np.uint64), targets[good].astype(np.uint64))

    def _pages(
        self, arrow: Any, table: Any, header: tuple[str, ...], file: File, context: ReadContext
    ) -> Iterator[Item]:
        columns = [name for name in ("url", "links", "title") if name in header]
        for batch in table.iter_batches(ROWS_AT_ONCE // 8, columns=columns):
            named = batch.column("url").is_valid()
            self._count_nulls(batch.column("url"), file, context)
            batch = batch.filter(named)
            urls = _as_text(arrow, batch, "url", file)
            links = batch.column("links")
            counts = arrow.compute.list_value_length(links).fill_null(0).to_numpy()
            targets = links.flatten()
            self._count_nulls(targets, file, context)
            kept = targets.is_valid().to_numpy(zero_copy_only=False)
            targets = targets.drop_null().cast(arrow.large_string())
            names, places = _intern(arrow, [urls, targets])
            titles = _as_text(arrow, batch, "title", file).to_pylist() if "title" in header else []
            yield NamedLinks(
                names,
                np.repeat(places[: len(urls)], counts)[kept],
                places[len(urls) :],
                {int(places[i]): title for i, title in enumerate(titles) if title},
            )

    def _count_nulls(self, column: Any, file: File, context: ReadContext) -> None:
        if column.null_count:
            place = f"{file.label}: {column.null_count:,} nulls"
            context.refuse("empty name", place, column.null_count)


def _require_urls(table: Any, header: tuple[str, ...], file: File) -> None:
    """Raise ReadError if the first rows of a table's two columns are not all URLs."""
    for batch in table.iter_batches(SAMPLE_ROWS):
        values = (value for column in batch.columns for value in column.to_pylist())
        if all(value is None or "://" in str(value) for value in values):
            return
        raise ReadError(
            f"{file.label} has the columns {' and '.join(header)}, which may not hold links; if "
            f"they do, add --columns {','.join(header)}."
        )


def _as_text(arrow: Any, batch: Any, name: str, file: File) -> Any:
    """A column as strings."""
    column = batch.column(name)
    try:
        return column.cast(arrow.large_string())
    except arrow.ArrowException:
        raise ReadError(
            f"{file.label}: column {name} holds {column.type}; it must be strings."
        ) from None


def _intern_pairs(arrow: Any, held: list[tuple[Any, Any]]) -> NamedLinks:
    """Turn pairs of columns into one batch of links."""
    names, places = _intern(arrow, [pair[side] for side in (0, 1) for pair in held])
    half = len(places) // 2
    return NamedLinks(names, places[:half], places[half:])


def _intern(arrow: Any, columns: list[Any]) -> tuple[Names, Any]:
    """The distinct strings of some columns, and each value's position in that list."""
    encoded = arrow.concat_arrays(columns).dictionary_encode()
    distinct = encoded.dictionary
    _, ends, text = distinct.buffers()
    count = len(distinct)
    offsets = np.frombuffer(ends, np.int64)[distinct.offset :][: count + 1] if ends else [0]
    blob = np.frombuffer(text, np.uint8) if text else np.empty(0, np.uint8)
    places = encoded.indices.to_numpy(zero_copy_only=False).astype(np.uint32)
    return Names(blob, np.asarray(offsets, np.uint64)), places


def _kind(arrow: Any, field: Any, file: File) -> str:
    kind = field.type
    if arrow.types.is_dictionary(kind):
        kind = kind.value_type
    if arrow.types.is_integer(kind):
        return "number"
    if arrow.types.is_string(kind) or arrow.types.is_large_string(kind):
        return "name"
    raise ReadError(
        f"{file.label}: column {field.name} holds {kind}; it must be strings or whole numbers."
    )


def _arrow() -> Any:
    arrow, *_ = (
        load(f"pyarrow{module}", "Parquet", "parquet") for module in ("", ".compute", ".parquet")
    )
    return arrow
