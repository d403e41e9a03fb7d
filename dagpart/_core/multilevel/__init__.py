"""The order of the phases: V-cycles, bisections and their starts, direct k-way refinement, threads."""
