"""The compiled engine: arrays in, arrays out; one phase, one module."""
