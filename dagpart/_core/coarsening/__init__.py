"""Clusterers, and the hierarchy of coarser and coarser graphs that they make."""
