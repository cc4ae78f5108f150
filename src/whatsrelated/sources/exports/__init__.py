"""Exports of programs that hold pages: WordPress, Ghost, Roam, Stack Exchange."""
