"""Graphs as the engine holds them, and what is counted on a caller's."""
