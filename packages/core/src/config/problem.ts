/** A mistake in a config: where it is, what is wrong, and what to write instead. */
export interface Problem {
  /** `agents.planner.backend.reasonAct.before[1]`; empty where it is about the whole. */
  readonly path: string
  readonly message: string
  /** Where the config was a text: counted from 1. */
  readonly line?: number
  readonly column?: number
}

export type Path = readonly PropertyKey[]

export const formatPath = (path: Path): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : member(String(key), index))).join('')

const member = (key: string, index: number): string => {
  if (!/^[\w$-]+$/.test(key)) return `[${JSON.stringify(key)}]`
  return index === 0 ? key : `.${key}`
}

/** All mistakes in one text, one line for each. */
export function formatProblems(problems: readonly Problem[]): string {
  const head = problems.length === 1 ? 'The config has a mistake:' : `The config has ${problems.length} mistakes:`
  return [head, ...problems.map((problem) => `- ${formatProblem(problem)}`)].join('\n')
}

function formatProblem({ path, message, line, column }: Problem): string {
  const place = line === undefined ? '' : `line ${line}, column ${column}`
  const where = path && place ? `${path} (${place})` : path || place
  return where ? `${where}: ${message}` : message
}
