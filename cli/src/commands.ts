import type { Command } from './command.ts'
import { createApp } from './commands/apps-create.ts'
import { advanceClock } from './commands/clock-advance.ts'
import { completionOf } from './commands/completion.ts'
import { tailEvents } from './commands/events-tail.ts'
import { init } from './commands/init.ts'
import { createKey } from './commands/keys-create.ts'
import { listen } from './commands/listen.ts'
import { login } from './commands/login.ts'
import { replay } from './commands/replay.ts'
import { trigger } from './commands/trigger.ts'

const OWN: readonly Command[] = [login, listen, trigger, tailEvents, replay, advanceClock, createApp, createKey, init]

export const COMMANDS: readonly Command[] = [...OWN, completionOf(OWN)]
