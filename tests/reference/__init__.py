"""Every algorithm by the book: plain, slow and obvious, to check the fast code against.

Pages are their names, scores are dicts, and nothing is shared with the product
but the sort key of a name and the draw of a sample, both handed in.
"""
