import { agentScripts } from './agentScripts.ts'
import { modelScripts } from './modelScripts.ts'
import { personScripts } from './personScripts.ts'
import type { Script } from './script.ts'
import { toolScripts } from './toolScripts.ts'

/** Runs with everything that leaves something of its own in a log. */
export const scripts: readonly Script[] = [...toolScripts, ...modelScripts, ...agentScripts, ...personScripts]
