"""What every search for a partition shares: the request, what must share a part, and the result."""
