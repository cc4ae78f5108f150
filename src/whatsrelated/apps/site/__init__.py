"""Related pages in every page of a built site: asked for, written in, taken out again.

`pages` says which file is which page, `lists` asks for each, `block` is the list as
HTML, `markup` finds its place in the bytes of a page, `writing` locks the folder, and
`run` does all of it; `data` is the same as one file for programs.
"""
