import type { Command } from './Command.ts'
import { pageCommands } from './pageCommands.ts'
import { runCommands } from './runCommands.ts'

/** Every command that is always there. The palette adds those of agents, tools and runs. */
export const commands: readonly Command[] = [...runCommands, ...pageCommands]
