import type { Agent } from './run.ts'

/** The names of the tools that belong to stop rules: with one of them the model ends its work. */
export const terminalTools = ({ tools }: Pick<Agent, 'tools'>): readonly string[] =>
  Object.values(tools).flatMap(({ name, terminal }) => (terminal ? [name] : []))
