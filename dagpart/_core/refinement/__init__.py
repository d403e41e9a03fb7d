"""Refiners, and the loop that runs them on one level."""
