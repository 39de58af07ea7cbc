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

/** The maximum number of reported mistakes. Others are reported once these are fixed. */
const most = 20
/** A key may be as long as the config. */
const maxPath = 200

/** The mistakes in one text, one line for each of the first. */
export function formatProblems(problems: readonly Problem[]): string {
  const head = problems.length === 1 ? 'The config has a mistake:' : `The config has ${problems.length} mistakes:`
  const lines = problems.slice(0, most).map((problem) => `- ${formatProblem(problem)}`)
  const more = problems.length - lines.length
  return [head, ...lines, ...(more > 0 ? [`- and ${more} more.`] : [])].join('\n')
}

function formatProblem({ path: whole, message, line, column }: Problem): string {
  const path = whole.length > maxPath ? `${whole.slice(0, maxPath)}…` : whole
  const place = line === undefined ? '' : `line ${line}, column ${column}`
  const where = path && place ? `${path} (${place})` : path || place
  return where ? `${where}: ${message}` : message
}
