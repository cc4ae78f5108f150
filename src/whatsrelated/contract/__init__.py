"""The input and output of a method, and how results look as JSON and in notebooks."""
