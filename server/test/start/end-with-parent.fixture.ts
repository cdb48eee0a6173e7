/**
 * Loaded before a program with `--import`: the program ends when the test process that started it does, however that
 * ends. The channel to the parent is all that tells.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.channel?.unref()
