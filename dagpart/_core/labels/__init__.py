"""Labels and what belongs to them: caps, loads, counts, score; numbering of the parts; checks."""
