"""Kernels of scheduling: a machine on which tasks are placed, and what places them."""
