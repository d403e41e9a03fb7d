"""Refinement of pairs of parts by minimum cuts."""
