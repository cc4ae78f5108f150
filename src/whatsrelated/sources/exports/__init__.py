"""Exports from programs that manage pages: WordPress, Ghost, Confluence, Roam, Stack Exchange."""
