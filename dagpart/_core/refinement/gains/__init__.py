"""What a move gains: by edges, by nets, by the two sides of an undirected graph."""
