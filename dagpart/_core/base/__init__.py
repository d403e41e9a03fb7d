"""What every phase stands on: types, random streams, heaps, interrupts, the engine's options."""
