"""Write lists of related pages into every page of a built site, and remove them again.

`pages` maps files to pages of the graph, and `lists` finds the related pages. `block` renders a
list as HTML, and `markup` finds the position for it in a page's bytes. `writing` locks the folder,
and `run` combines them. `data` writes all lists to one file for programs.
"""
