"""Write lists of related pages into every page of a built site, and remove them again.

`pages` maps files to pages of the graph, `lists` queries each page, `block` renders a list as HTML,
and `markup` finds its place in the bytes of a page. `writing` locks the folder, and `run` combines
them. `data` writes all lists to one file for programs.
"""
