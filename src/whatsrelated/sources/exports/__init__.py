"""Exports of programs that hold pages: WordPress, Ghost, Confluence, Roam, Stack Exchange."""
