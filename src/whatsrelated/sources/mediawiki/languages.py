"""Names that wikis use in their languages but dumps do not list.

A dump has the names of its namespaces, but not their aliases or the prefixes of other wikis.
Templates are recognised by name. All names are compared in lower case.
"""

from __future__ import annotations

import re


def _words(text: str, between: str | None = None) -> frozenset[str]:
    return frozenset(text.split(between))


CANONICAL = {
    -2: "media",
    -1: "special",
    1: "talk",
    2: "user",
    3: "user talk",
    4: "project",
    5: "project talk",
    6: "file",
    7: "file talk",
    8: "mediawiki",
    9: "mediawiki talk",
    10: "template",
    11: "template talk",
    12: "help",
    13: "help talk",
    14: "category",
    15: "category talk",
}
"""The names of namespaces on every wiki, besides those in its own language."""

ALIASES = {
    **dict.fromkeys(("image", "bild", "afbeelding", "grafika", "imagen", "imagem"), 6),
    **dict.fromkeys(("immagine", "fichier", "изображение", "зображення", "kép", "画像"), 6),
    **dict.fromkeys(("图像", "圖像", "slika", "obrázek", "kuva", "billede", "bilde", "resim"), 6),
    **dict.fromkeys(("צורה", "صورة", "imatge", "imagine", "image talk"), 6),
    "image talk": 7,
}
"""Older names of the file namespace, still used in links."""

WIKIPEDIA_ALIASES = {"wp": 4, "wt": 5}

PROJECTS = _words(
    "w wikipedia wikt wiktionary b wikibooks q wikiquote s wikisource n wikinews v wikiversity voy"
    " wikivoyage species wikispecies c commons m meta metawikimedia metawikipedia mw mediawikiwiki"
    " d wikidata f wikifunctions wmf foundation wikimedia incubator phab phabricator bugzilla"
    " mediazilla gerrit doi pmid rfc toollabs toolforge tools ticket otrs outreach strategy"
    " translatewiki betawiki wikia fandom wikitech testwiki imdbname imdbtitle google arxiv"
    " oeis mailarchive irc svn rev gutenberg"
)
"""Prefixes of links to other projects."""

LANGUAGES = _words(
    "aa ab ace ady af ak als alt am ami an ang ann anp ar arc ary arz as ast atj av avk awa ay az"
    " azb ba ban bar bat-smg bbc bcl bdr be be-tarask be-x-old bew bg bh bi bjn blk bm bn bo bpy br"
    " bs btm bug bxr ca cbk-zam cdo ce ceb ch cho chr chy ckb co cr crh cs csb cu cv cy da dag de"
    " dga din diq dsb dtp dty dv dz ee el eml en eo es et eu ext fa fat ff fi fiu-vro fj fo fon fr"
    " frp frr fur fy ga gag gan gcr gd gl glk gn gom gor got gpe gsw gu guc gur guw gv ha hak haw"
    " he hi hif ho hr hsb ht hu hy hyw hz ia iba id ie ig igl ii ik ilo inh io is it iu ja jam jbo"
    " jv ka kaa kab kbd kbp kcg kg kge ki kj kk kl km kn knc ko koi kr krc ks ksh ku kus kv kw ky"
    " la lad lb lbe lez lfn lg li lij lld lmo ln lo lrc lt ltg lv lzh mad mai map-bms mdf mg mh mhr"
    " mi min mk ml mn mni mnw mo mr mrj ms mt mus mwl my myv mzn na nah nan nap nb nds nds-nl ne"
    " new ng nia nl nn no nov nqo nr nrm nso nup nv ny oc olo om or os pa pag pam pap pcd pcm pdc"
    " pfl pi pih pl pms pnb pnt ps pt pwn qu rm rmy rn ro roa-rup roa-tara rsk ru rue rup rw sa sah"
    " sat sc scn sco sd se sg sgs sh shi shn shy si simple sk skr sl sm smn sn so sq sr srn ss st"
    " stq su sv sw szl szy ta tay tcy tdd te tet tg th ti tig tk tl tly tn to tpi tr trv ts tt tum"
    " tw ty tyv udm ug uk ur uz ve vec vep vi vls vo vro wa war wo wuu xal xh xmf yi yo yue za zea"
    " zgh zh zh-classical zh-min-nan zh-yue zu"
)
"""Wikipedia's language codes, which prefix links to its other editions."""

SUBPAGES = re.compile(r".*(?:wikibooks|wikiversity|wikisource)|metawiki|mediawikiwiki")
"""Wikis whose articles have subpages, so `[[/x]]` is relative."""

NAVIGATION = re.compile(
    r"(?:navbox|navigation|navleiste|sidebar|palette|succession|s-(?:bef|aft|ttl|start|end)\b).*"
    r"|.*(?:navbox|sidebar)",
    re.S,
)
"""Navigation templates."""

HATNOTES = _words(
    "main|main article|see also|see|further|details|seealso|hauptartikel|siehe auch"
    "|article détaillé|article connexe|article principal|voir|ap|artículo principal|vt"
    "|véase también|vedi anche|основная статья|см. также|osobny artykuł|zobacz też"
    "|artigo principal|ver também|hoofdartikel|zie ook|zie hoofdartikel|huvudartikel|se även"
    "|hovedartikel|hovedartikkel|pääartikkeli|hlavní článek|主条目|関連項目",
    "|",
)
"""Templates whose arguments are page titles."""

DISAMBIGUATIONS = _words(
    "disambig|disambiguation|disamb|dab|hndis|geodis|human name disambiguation|hospital"
    " disambiguation|place name disambiguation|school disambiguation|airport disambiguation"
    "|letter-number combination disambiguation|mathematical disambiguation|numberdis|callsigndis"
    "|begriffsklärung|homonymie|desambiguación|desambiguacion|desambiguação|disambigua|dp"
    "|doorverwijspagina|неоднозначность|багатозначність|ujednoznacznienie|aimai|曖昧さ回避|消歧义"
    "|消歧義|동음이의|förgrening|flertydig|täsmennyssivu|rozcestník|egyért|dezambiguizare"
    "|anlam ayrımı|توضيح|ابهام‌زدایی|פירושונים|định hướng|αποσαφήνιση|пояснение|razločitev"
    "|вишезначна одредница|višeznačna odrednica|argipen|apartigilo|nuorodinis|täpsustus",
    "|",
)
"""Templates that mark a disambiguation page."""
