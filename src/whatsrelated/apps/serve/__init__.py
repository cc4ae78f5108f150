"""What's Related as a service: an HTTP API and a web page for a graph."""
