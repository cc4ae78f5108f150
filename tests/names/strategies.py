"""Names for hypothesis: URLs that are odd in every way, numbers, and any text."""

import string

from hypothesis import strategies as st

HOSTS = st.one_of(
    st.lists(
        st.text(string.ascii_lowercase + "0189-_", min_size=1, max_size=4), min_size=1, max_size=4
    ).map(".".join),
    st.sampled_from(["1.2.3.4", "[::1]", "xn--mnchen-3ya.de", "münchen.de", "A.org.", "", "a..b"]),
)


PIECES = (
    *"/.a?#&=~'),ü\\|{0:@% \u2028",
    "..",
    "%7e",
    "%2E",
    "%41",
    "%2f",
    "%%34",
    "utm_x",
    "GCLID",
)


RESTS = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)


URLS = st.builds(
    "{}://{}{}{}{}".format,
    st.sampled_from(["http", "https", "ftp", "file", "HTTP", "gopher"]),
    st.sampled_from(["", "", "", "anne:x@"]),
    HOSTS,
    st.sampled_from(["", "", "", ":80", ":443", ":8080", ":"]),
    RESTS.map(lambda rest: rest if rest[:1] in "/?#" else "/" + rest),
)


NAMES = st.one_of(URLS, st.integers(0, 10**20).map(str), st.text(max_size=12), RESTS)
