"""Pure numbers: frames and parameters in, frozen results out. No store, no screen, no figure library."""
