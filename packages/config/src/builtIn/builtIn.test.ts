import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as core from '@interleave/core'
import * as agents from '@interleave/core/agents'
import * as fetching from '@interleave/core/fetch'
import * as graph from '@interleave/core/graph'
import * as steps from '@interleave/core/steps'
import * as tools from '@interleave/core/tools'
import * as text from '@interleave/text'
import { expect, it } from 'vitest'
import { builtIn } from './builtIn.ts'

const declarable = new Set(Object.values(builtIn).flatMap((kind) => Object.keys(kind)))

/** The exports that are not parts of an agent: functions for code, and values that it writes itself. */
const forCodeAlone: Readonly<Record<string, readonly string[]>> = {
  core: [
    ...[
      'AgentError',
      'agent',
      'answer',
      'approval',
      'elsewhere',
      'file',
      'isAgentError',
      'prices',
      'localHost',
      'tool',
    ],
    ...['choice', 'choices', 'confirm', 'declinable', 'form', 'link', 'text'],
  ],
  tools: ['missingTools', 'planNext', 'pinned', 'pinsOf', 'toolSource'],
  agents: [],
  fetching: ['publicLookup'],
  steps: [
    'allow',
    'rememberPermissions',
    'block',
    'childId',
    'concurrently',
    'sideCall',
    'enforced',
    'openCalls',
    'rewrite',
    'runChild',
  ],
  graph: ['END', 'findFaults', 'position', 'router', 'toMermaid', 'value', 'visitCounts'],
  text: ['createTextReader', 'defaultPrompt', 'malformedStep', 'printTranscript', 'readText', 'textModeMiddleware'],
}

it.each(Object.entries({ core, agents, fetching, tools, steps, graph, text }))(
  'knows all that %s exports for agents to be made of',
  (gate, all) => {
    const missing = Object.keys(all).filter((name) => !declarable.has(name) && !forCodeAlone[gate]?.includes(name))

    expect(missing, 'Declare it in builtIn/, or list it above.').toEqual([])
  },
)

it.each(Object.entries({ core, agents, fetching, tools, steps, graph, text }))(
  'omits nothing that %s does not export',
  (gate, all) => {
    expect(forCodeAlone[gate]?.filter((name) => !(name in all))).toEqual([])
  },
)

it('is described on the page about declared agents', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/declared-agents.md'), 'utf8')

  expect([...declarable].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

it('knows nothing that is not exported', () => {
  const exported = new Set(Object.keys({ ...core, ...agents, ...fetching, ...tools, ...steps, ...graph, ...text }))

  expect([...declarable].filter((name) => !exported.has(name))).toEqual([])
})
