import type { Subject } from './kit.ts'

/** By name, and loaded alone: what another library does to its process is its own affair. */
const loaders: Readonly<Record<string, () => Promise<Subject>>> = {
  floor: async () => (await import('./subjects/floor.ts')).floor,
  interleave: async () => (await import('./subjects/interleave.ts')).interleave,
  'interleave, listened to': async () => (await import('./subjects/interleave.ts')).interleaveListened,
  ai: async () => (await import('./subjects/ai.ts')).ai,
}

export const subjectNames: readonly string[] = Object.keys(loaders)

export function loadSubject(name: string): Promise<Subject> {
  const load = loaders[name]
  if (!load) throw new Error(`There is no subject "${name}". There are: ${subjectNames.join(', ')}.`)
  return load()
}
