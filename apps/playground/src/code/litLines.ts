import type { RunState } from '@interleave/core'
import { END, type Graph, position } from '@interleave/core/graph'
import type { Project } from './project.ts'
import { importsOf } from './sources.ts'

/** A line of a program that does something now. */
export interface LitLine {
  readonly path: string
  /** From 0. */
  readonly line: number
  readonly activity: Activity
}

type Shown = Pick<Project, 'files' | 'shown'>

/** The lines that do what a run does now. */
export function litLines(project: Shown, activities: readonly Activity[]): readonly LitLine[] {
  const found = activities.flatMap((activity) => {
    for (const [path, isIt] of candidates(project, activity)) {
      const line = linesOf(project, path).findIndex(isIt)
      if (line >= 0) return [{ path, line, activity }]
    }
    return []
  })
  return found.filter((one, at) => found.findIndex((other) => isSame(one, other)) === at)
}

const isSame = (a: LitLine, b: LitLine): boolean => a.path === b.path && a.line === b.line

type Candidate = readonly [path: string, isIt: (line: string, index: number, lines: readonly string[]) => boolean]

/** The candidates for the line, best first. */
function candidates({ shown, files }: Shown, { type, name = '' }: Activity): readonly Candidate[] {
  const [agent = ''] = shown
  const tool = `src/tools/${name}.ts`
  const execute: readonly Candidate[] = [
    [tool, (line) => /^ +(?:async )?\*?execute\b/.test(line)],
    [agent, (line) => isNamed(line, name)],
    [agent, (line) => line.includes('mcpTools(')],
    [agent, (line) => line.startsWith('  tools')],
  ]
  const asking = (path: string): Candidate => [path, (line) => /\bask\(/.test(line)]
  switch (type) {
    case 'model':
      return [[agent, (line) => /^ {2}model\b/.test(line)]]
    case 'execute':
      return execute
    case 'approve':
      return [[tool, (line) => /^ +approve\b/.test(line)], ...execute]
    case 'ask': {
      if (name === '') return [...shown.map(asking), [agent, (line) => line.startsWith('  backend')]]
      const helpers = importsOf(tool.slice(4), files.get(tool) ?? '').map((path) => `src/${path}`)
      return [tool, ...helpers].map(asking).concat(execute)
    }
    case 'node':
      return [[agent, (line, index, lines) => isNamed(line, name) && lines.slice(0, index).some(isNodes)]]
  }
}

const isNodes = (line: string): boolean => line.trim() === 'nodes: {'

/** The line of a member of an object. */
function isNamed(line: string, name: string): boolean {
  const text = line.trim()
  return (
    line.startsWith('    ') &&
    [`${name},`, `${name}: `, `${name}(`, `'${name}': `].some((start) => text.startsWith(start))
  )
}

const linesOf = ({ files }: Shown, path: string): readonly string[] => files.get(path)?.split('\n') ?? []

/** An activity of a run, as a part of its program. */
export interface Activity {
  readonly type: 'model' | 'execute' | 'ask' | 'approve' | 'node'
  /** The tool or the node. */
  readonly name?: string
}

/** Returns the activities of a run: none once it has finished, several if calls run concurrently. */
export function activitiesOf(state: RunState, graph: Graph | undefined): readonly Activity[] {
  const { asks, signal, history } = state
  if (state.seq === 0 || (signal && signal.type !== 'inputNeeded')) return []
  const turn = history.flat().findLast((entry) => entry.type === 'turn')
  const calls = turn?.type === 'turn' ? turn.calls : []
  const nameOf = (key: string | undefined): string | undefined => calls.find((call) => call.key === key)?.name
  const asking = asks.map(({ kind, call }): Activity => {
    const name = nameOf(call)
    return { type: kind === 'approval' ? 'approve' : 'ask', ...(name !== undefined && { name }) }
  })
  const isAsking = (key: string): boolean => asks.some(({ call }) => call === key)
  const running = calls.flatMap(({ key, name, result, claimedAt }): Activity[] =>
    !signal && !result && claimedAt !== undefined && !isAsking(key) ? [{ type: 'execute', name }] : [],
  )
  const place = graph && position(state, graph)
  const nodes = place ? [place.node, ...(place.branches ?? [])] : []
  const at = nodes.flatMap((name): Activity[] => (name === END ? [] : [{ type: 'node', name }]))
  const thinks = !signal && asking.length + running.length === 0 && (at.length === 0 || state.draft !== undefined)
  return [...(thinks ? [{ type: 'model' } as const] : []), ...running, ...asking, ...at]
}
