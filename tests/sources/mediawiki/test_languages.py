"""Localised keywords of wikis: all in lower case, for comparison."""

from __future__ import annotations

from whatsrelated.sources.html import is_see_also
from whatsrelated.sources.mediawiki import languages


def test_names_are_in_lower_case_and_languages_are_not_projects() -> None:
    tables = (
        languages.PROJECTS,
        languages.LANGUAGES,
        languages.HATNOTES,
        languages.DISAMBIGUATIONS,
        languages.ALIASES,
        languages.CANONICAL.values(),
    )
    assert all(name == name.lower() for table in tables for name in table)
    assert not languages.PROJECTS & languages.LANGUAGES
    assert len(languages.LANGUAGES) > 330


def test_navigation_templates_are_known_by_their_names() -> None:
    for name in ("navbox", "navbox tea", "navigationsleiste tee", "tea sidebar", "s-bef"):
        assert languages.NAVIGATION.fullmatch(name), name
    for name in ("infobox tea", "cite web", "s-bend", "main"):
        assert not languages.NAVIGATION.fullmatch(name), name


def test_see_also_is_known_in_many_languages() -> None:
    headings = (
        "See also|Siehe auch|Voir aussi|Articles connexes|Véase también|Vedi anche|Voci correlate"
        "|Zie ook|Zobacz też|См. также|Див. також|関連項目|参见|參見|相关条目|같이 보기|Ver também"
        "|Se även|Se også|Katso myös|Viz též|Lásd még|Vezi și|Ayrıca bakınız|انظر أيضًا|ראו גם"
        "|جستارهای وابسته|Xem thêm|Lihat pula|Δείτε επίσης|Вижте също|Vegeu també|Vidu ankaŭ"
    )
    assert [heading for heading in headings.split("|") if not is_see_also(heading)] == []
    assert not is_see_also("History")
