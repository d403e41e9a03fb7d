"""Split a directed acyclic graph into balanced parts whose quotient graph is acyclic too."""
