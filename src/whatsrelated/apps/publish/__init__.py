"""`related publish`: the web page of a graph as static files, for any host, without a server."""
