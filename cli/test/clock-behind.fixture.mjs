/** Sets the clock of a process ten minutes back. */
const now = Date.now
Date.now = () => now() - 600_000
