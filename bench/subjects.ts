import { existsSync } from 'node:fs'
import type { Subject } from './kit.ts'

/** By name, and loaded alone: what another library does to its process is its own affair. */
const loaders: Readonly<Record<string, () => Promise<Subject>>> = {
  floor: async () => (await import('./subjects/floor.ts')).floor,
  interleave: async () => (await import('./subjects/interleave.ts')).interleave,
  'interleave, listened to': async () => (await import('./subjects/interleave.ts')).interleaveListened,
  ai: async () => (await import('./subjects/ai.ts')).ai,
  ...(existsSync(new URL('./peers/node_modules', import.meta.url)) && {
    'pi-agent-core': () => peer('piAgent'),
    tanstack: () => peer('tanstack'),
    'openai-agents': () => peer('openaiAgents'),
    langgraph: () => peer('langgraph'),
  }),
}

/** Libraries that only the bench installs. */
async function peer(file: string): Promise<Subject> {
  return (await import(new URL(`./peers/${file}.ts`, import.meta.url).href)).subject
}

export const subjectNames: readonly string[] = Object.keys(loaders)

export function loadSubject(name: string): Promise<Subject> {
  const load = loaders[name]
  if (!load) throw new Error(`There is no subject "${name}". There are: ${subjectNames.join(', ')}.`)
  return load()
}
