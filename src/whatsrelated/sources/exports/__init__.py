"""Exports of programs that manage pages, from WordPress to Roam."""
