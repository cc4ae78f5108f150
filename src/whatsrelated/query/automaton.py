"""A regular expression as an automaton that is in all of its states at once.

Python's own matcher tries one way after another, and `(a+)+b` has more ways than
anybody can wait for.  Here every letter of a name moves a set of states, so a name
costs at most its length times the number of states, and a step that was computed
once is kept.  The states are bounded, and so is the work of one question.
"""

from __future__ import annotations

from whatsrelated.query.expressions import (
    BadExpression,
    Choice,
    Letter,
    Node,
    Place,
    Repeat,
    Sequence,
    Test,
    is_word,
)

MOST_STATES = 2000
MOST_WORK = 500_000
"""States visited for one question before a pattern is given up: a second or so."""
MOST_KEPT = 5000
"""Steps that are remembered."""


class TooMuchWork(Exception):
    """An automaton has visited more states than one question may."""


class Automaton:
    """A nondeterministic automaton, its steps computed once.

    A state is a test of a letter and where it leads, a condition on the place and
    where it leads, or only where it leads.  The last state is the end.
    """

    def __init__(self, tree: Node) -> None:
        self.tests: list[Test | None] = []
        self.conditions: list[str] = []
        self.leads: list[list[int]] = []
        self.work = 0
        self._steps: dict[tuple[frozenset[int], bool, bool, str], frozenset[int] | None] = {}
        self.start = self._state()
        last = self._append(tree, self.start)
        self.end = self._state()
        self.leads[last].append(self.end)

    def matches(self, name: str) -> bool:
        """Whether the expression is found anywhere in the name."""
        states, first, word = frozenset([self.start]), True, False
        for letter in [*name, ""]:
            following = self._step(states, first, word, letter)
            if following is None:
                return True
            states, first, word = following, False, is_word(letter)
        return False

    def _step(
        self, states: frozenset[int], first: bool, word: bool, letter: str
    ) -> frozenset[int] | None:
        """The states after a letter, the start among them; None once the end is reached."""
        key = (states, first, word, letter)
        if key not in self._steps:
            if len(self._steps) >= MOST_KEPT:
                self._steps.clear()
            self._steps[key] = self._compute_step(*key)
        return self._steps[key]

    def _compute_step(
        self, states: frozenset[int], first: bool, word: bool, letter: str
    ) -> frozenset[int] | None:
        holds = {
            "start": first,
            "end": not letter,
            "boundary": word != is_word(letter),
            "inside": word == is_word(letter),
            "": True,
        }
        reached, waiting, moved = set(states), list(states), {self.start}
        while waiting:
            state = waiting.pop()
            self.work += 1
            if self.work > MOST_WORK:
                raise TooMuchWork
            test = self.tests[state]
            if test is not None:
                if letter and test(letter):
                    moved.update(self.leads[state])
            elif holds[self.conditions[state]]:
                for following in self.leads[state]:
                    if following not in reached:
                        reached.add(following)
                        waiting.append(following)
        return None if self.end in reached else frozenset(moved)

    def _state(self, test: Test | None = None, condition: str = "") -> int:
        if len(self.leads) >= MOST_STATES:
            raise BadExpression(f"cannot have more than {MOST_STATES:,} states")
        self.tests.append(test)
        self.conditions.append(condition)
        self.leads.append([])
        return len(self.leads) - 1

    def _append(self, node: Node, state: int) -> int:
        """Append what a node says after a state; the state where it ends, always a new one.

        So every part costs a state, a repeat of nothing too, and the bound on the
        states bounds the building as well.
        """
        match node:
            case Letter(test):
                return self._after(self._after(state, test))
            case Place(condition):
                return self._after(self._after(state, condition=condition))
            case Sequence(parts):
                for part in parts:
                    state = self._append(part, state)
                return state if parts else self._after(state)
            case Choice(branches):
                return self._join([self._append(one, self._after(state)) for one in branches])
            case Repeat():
                return self._repeat(node, state)

    def _repeat(self, node: Repeat, state: int) -> int:
        for _ in range(node.least):
            state = self._append(node.inner, state)
        if node.most is None:
            again = self._after(state)
            self.leads[self._append(node.inner, again)].append(again)
            return self._after(again)
        ends = [state]
        for _ in range(node.most - node.least):
            state = self._append(node.inner, state)
            ends.append(state)
        return self._join(ends)

    def _after(self, state: int, test: Test | None = None, condition: str = "") -> int:
        following = self._state(test, condition)
        self.leads[state].append(following)
        return following

    def _join(self, ends: list[int]) -> int:
        joined = self._state()
        for end in ends:
            self.leads[end].append(joined)
        return joined
