# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""One link per line: the compiled twin of `link_lines.py`.

Names are interned in an open-addressing hash table, one block of lines at a time: split and hash
all lines and prefetch their slots; then look the names up and insert new ones. This is fast because
the cache misses of a block overlap.

Names are distinguished by 96 bits of a hash whose keys are drawn from `seed`; comparing the names
would cost two more misses each. The probability that any two of n names collide is about n² /
2^97, or 10^-17 for a million. `_number_table.pxd` does not fit, because its keys have 32 bits.

A name is checked for invalid UTF-8 and control characters once, when it is inserted.
"""

from libc.stdint cimport int64_t
from libc.string cimport memset

from whatsrelated.kernels.shared._memory cimport PREFETCH
from whatsrelated.kernels.shared._random cimport draw

include "text.pxi"

cdef extern from "namehash.h" nogil:
    enum:
        RELATED_KEYS
    void related_hash(
        const uint8_t *text, size_t size, const uint64_t *keys, uint64_t *hash, uint32_t *more
    ) noexcept

cdef enum:
    BLOCK = 64  # lines processed at a time

cdef struct Slot:
    uint64_t hash
    uint32_t more
    uint32_t name     # the position of the name + 1; 0: the slot is empty

cdef struct Line:
    const uint8_t *text
    size_t size
    size_t number
    Field fields[2]
    uint64_t hashes[2]
    uint32_t mores[2]


cdef inline const uint8_t *_digits(const uint8_t *text, uint64_t *value) noexcept nogil:
    """Read a plain decimal of at most 18 digits; return its end, or NULL if there is none."""
    cdef const uint8_t *digits = text
    cdef uint64_t total = 0
    cdef uint8_t digit
    while True:
        digit = text[0] - 48
        if digit > 9:
            break
        total = total * 10 + digit
        text += 1
    if text == digits or text - digits > 18 or (digits[0] == 48 and text - digits > 1):
        return NULL
    value[0] = total
    return text


cdef class LinkLines(_Columns):
    """One link per line, from the column `source` to the column `target`."""

    cdef readonly int source
    cdef readonly int target
    cdef readonly size_t memory
    cdef readonly bint full
    cdef readonly size_t links
    cdef uint64_t keys[RELATED_KEYS]
    cdef _Store arena
    cdef _Store offsets
    cdef _Store sources
    cdef _Store targets
    cdef _Store table
    cdef size_t n_slots
    cdef size_t n_names
    cdef Line block[BLOCK]

    def __init__(
        self,
        int delimiter,
        int columns=2,
        int source=0,
        int target=1,
        int where=-1,
        bytes value=b"",
        size_t longest=1 << 20,
        size_t memory=1 << 30,
        size_t line=0,
        uint64_t seed=0,
    ):
        cdef size_t i
        self._set(delimiter, columns, where, value, longest, line)
        self.source = source
        self.target = target
        self.memory = memory
        for i in range(RELATED_KEYS):
            self.keys[i] = draw(seed, i)
        self.arena, self.offsets, self.table = _Store(), _Store(), _Store()
        self.sources, self.targets = _Store(), _Store()
        self.n_slots = 0
        self._clear()

    cdef void _clear(self):
        self.full = False
        self.links = 0
        self.n_names = 0
        if self.n_slots:
            memset(self.table.data, 0, self.n_slots * sizeof(Slot))

    def numbers(self, const uint8_t[::1] data, size_t start, bint only):
        """Read from `start`; return the position reached."""
        cdef const uint8_t *base = &data[0] if data.shape[0] else NULL
        cdef size_t size = data.shape[0], room
        cdef int reason
        while start < size:
            if self.links and 16 * self.links >= self.memory:
                self.full = True
                break
            room = max(min(self.memory // 16 - min(self.links, self.memory // 16), <size_t>65536), 1)
            self.sources.reserve(8 * room)
            self.targets.reserve(8 * room)
            with nogil:
                reason = self.read_numbers(base, size, &start, room, only)
            if reason == NOTHING:
                break
            if reason != GOOD:
                self.refuse_at(reason, base, size, &start)
        return start

    cdef int read_numbers(
        self, const uint8_t *base, size_t size, size_t *start, size_t room, bint only
    ) noexcept nogil:
        """Return GOOD at the end or when out of room, NOTHING at a line with a name, otherwise the
        reason a line is bad.
        """
        cdef const uint8_t *text = base + start[0]
        cdef const uint8_t *end = base + size
        cdef const uint8_t *stop
        cdef uint64_t *sources = <uint64_t *>(self.sources.data + self.sources.used)
        cdef uint64_t *targets = <uint64_t *>(self.targets.data + self.targets.used)
        cdef uint64_t first, second
        cdef size_t count = 0
        cdef int reason = GOOD
        cdef bint simple = self.columns == 2 and self.source == 0 and self.target == 1 and (
            self.where < 0
        )
        while text < end and count < room:
            if simple:
                stop = self.two_numbers(text, &first, &second)
                if stop != NULL:
                    sources[count] = first
                    targets[count] = second
                    count += 1
                    self.line += 1
                    text = stop
                    continue
            stop = <const uint8_t *>memchr(text, 10, end - text)
            self.line += 1
            self.scratch.used = 0
            reason = self.split(text, stop - text)
            if reason == GOOD:
                if _number(&self.fields[self.source], &first) and _number(
                    &self.fields[self.target], &second
                ):
                    sources[count] = first
                    targets[count] = second
                    count += 1
                elif not (self.fields[self.source].size and self.fields[self.target].size):
                    reason = EMPTY_NAME
                elif only:
                    reason = NOT_A_NUMBER
                else:
                    self.line -= 1
                    reason = NOTHING
                    break
            if reason == NOTHING:
                reason = GOOD
            if reason != GOOD:
                break
            text = stop + 1
        start[0] = text - base
        self.sources.used += 8 * count
        self.targets.used += 8 * count
        self.links += count
        return reason

    cdef inline const uint8_t *two_numbers(
        self, const uint8_t *text, uint64_t *first, uint64_t *second
    ) noexcept nogil:
        """The start of the next line, or NULL if this one is not just two numbers."""
        text = _digits(text, first)
        if text == NULL or text[0] != self.delimiter:
            return NULL
        text = _digits(text + 1, second)
        if text == NULL:
            return NULL
        if text[0] == 13:
            text += 1
        return text + 1 if text[0] == 10 else NULL

    def names(self, const uint8_t[::1] data, size_t start):
        """Read from `start`.

        Return the position reached: the end, or less if out of room (`full`).
        """
        cdef const uint8_t *base = &data[0] if data.shape[0] else NULL
        cdef size_t size = data.shape[0], line, excluded, i
        cdef size_t next_start, bytes_wanted
        cdef int count, reason
        while start < size:
            next_start = start
            line, excluded = self.line, self.excluded
            with nogil:
                count = self.hash_block(base, size, &next_start, &bytes_wanted, &reason)
            if not self.make_room(bytes_wanted, 2 * count, count):
                self.line, self.excluded = line, excluded
                self.full = True
                break
            self.look_up(count)
            if reason != GOOD:
                self.refuse_at(reason, base, size, &next_start)
            start = next_start
        return start

    cdef int hash_block(
        self, const uint8_t *base, size_t size, size_t *start, size_t *bytes_wanted, int *reason
    ) noexcept nogil:
        """Split and hash up to a block of lines, stopping at a bad one.

        Return the number of lines.
        """
        cdef const uint8_t *text = base + start[0]
        cdef const uint8_t *end = base + size
        cdef const uint8_t *stop
        cdef int count = 0, side
        cdef Line *line
        cdef Slot *table = <Slot *>self.table.data
        cdef size_t mask = self.n_slots - 1
        bytes_wanted[0] = 0
        reason[0] = GOOD
        self.scratch.used = 0
        while text < end and count < BLOCK:
            stop = <const uint8_t *>memchr(text, 10, end - text)
            if self.scratch.used and self.scratch.used + (stop - text) > self.scratch.room:
                break
            self.line += 1
            reason[0] = self.split(text, stop - text)
            if reason[0] == NOTHING:
                reason[0] = GOOD
                text = stop + 1
                continue
            if reason[0] == GOOD and not (
                self.fields[self.source].size and self.fields[self.target].size
            ):
                reason[0] = EMPTY_NAME
            if reason[0] != GOOD:
                break
            line = &self.block[count]
            line.text = text
            line.size = stop - text
            line.number = self.line
            line.fields[0] = self.fields[self.source]
            line.fields[1] = self.fields[self.target]
            for side in range(2):
                related_hash(
                    line.fields[side].text,
                    line.fields[side].size,
                    self.keys,
                    &line.hashes[side],
                    &line.mores[side],
                )
                if self.n_slots:
                    PREFETCH(&table[line.hashes[side] & mask])
                bytes_wanted[0] += line.fields[side].size
            count += 1
            text = stop + 1
        start[0] = text - base
        return count

    cdef int make_room(self, size_t more_bytes, size_t more_names, size_t more_links) except -1:
        """Whether a block fits the memory limit; the first block of a batch always does."""
        cdef size_t names = self.n_names + more_names
        cdef size_t slots = max(self.n_slots, <size_t>4096)
        while slots < 2 * names:
            slots *= 2
        cdef size_t wanted = (
            self.arena.used + more_bytes + 8 * (names + 1) + 8 * (self.links + more_links)
            + slots * sizeof(Slot) + (self.n_slots * sizeof(Slot) if slots != self.n_slots else 0)
        )
        if self.links and (wanted > self.memory or names >= 0xFFFFFFFF):
            return False
        self.arena.reserve(more_bytes)
        self.offsets.reserve(8 * (more_names + 1))
        self.sources.reserve(4 * more_links)
        self.targets.reserve(4 * more_links)
        if slots != self.n_slots:
            self.rehash(slots)
        return True

    cdef int rehash(self, size_t slots) except -1:
        cdef _Store table = _Store()
        cdef Slot *old = <Slot *>self.table.data
        cdef Slot *new
        cdef size_t i, slot
        table.reserve(slots * sizeof(Slot))
        new = <Slot *>table.data
        with nogil:
            memset(new, 0, slots * sizeof(Slot))
            for i in range(self.n_slots):
                if old[i].name:
                    slot = old[i].hash & (slots - 1)
                    while new[slot].name:
                        slot = (slot + 1) & (slots - 1)
                    new[slot] = old[i]
        self.table = table
        self.n_slots = slots
        return 0

    cdef int look_up(self, int count) except -1:
        cdef int i = 0, reason
        while i < count:
            with nogil:
                reason = GOOD
                while i < count and reason == GOOD:
                    reason = self.add(&self.block[i])
                    i += 1
            if reason != GOOD:
                self.refuse(
                    reason, self.block[i - 1].number, self.block[i - 1].text, self.block[i - 1].size
                )
        return 0

    cdef int add(self, const Line *line) noexcept nogil:
        """Add a link if its names are valid; return GOOD or the reason."""
        cdef int64_t source = self.find(line, 0), target = self.find(line, 1)
        cdef int reason = GOOD
        if source < 0:
            reason = _fault(&line.fields[0])
        if target < 0 and reason == GOOD:
            reason = _fault(&line.fields[1])
        if reason != GOOD:
            return reason
        if source < 0:
            source = self.insert(line, 0)
            if target < 0:
                target = self.find(line, 1)
        if target < 0:
            target = self.insert(line, 1)
        (<uint32_t *>self.sources.data)[self.links] = <uint32_t>source
        (<uint32_t *>self.targets.data)[self.links] = <uint32_t>target
        self.links += 1
        self.sources.used += 4
        self.targets.used += 4
        return GOOD

    cdef inline int64_t find(self, const Line *line, int side) noexcept nogil:
        """The position of a name, or -1 if it is new."""
        cdef Slot *table = <Slot *>self.table.data
        cdef size_t mask = self.n_slots - 1, slot = line.hashes[side] & mask
        while table[slot].name:
            if table[slot].hash == line.hashes[side] and table[slot].more == line.mores[side]:
                return <int64_t>table[slot].name - 1
            slot = (slot + 1) & mask
        return -1

    cdef int64_t insert(self, const Line *line, int side) noexcept nogil:
        cdef Slot *table = <Slot *>self.table.data
        cdef size_t mask = self.n_slots - 1, slot = line.hashes[side] & mask
        while table[slot].name:
            slot = (slot + 1) & mask
        (<uint64_t *>self.offsets.data)[self.n_names] = self.arena.used
        memcpy(self.arena.data + self.arena.used, line.fields[side].text, line.fields[side].size)
        self.arena.used += line.fields[side].size
        self.offsets.used += 8
        self.n_names += 1
        table[slot].hash = line.hashes[side]
        table[slot].more = line.mores[side]
        table[slot].name = <uint32_t>self.n_names
        return <int64_t>self.n_names - 1

    def take_numbers(self):
        """The links read since the last call: sources and targets."""
        taken = self.sources.take(np.uint64), self.targets.take(np.uint64)
        self._clear()
        return taken

    def take_names(self):
        """The names' bytes and offsets, and the links as positions among them."""
        taken = _packed(self.arena, self.offsets)
        links = self.sources.take(np.uint32), self.targets.take(np.uint32)
        self._clear()
        return (*taken, *links)
