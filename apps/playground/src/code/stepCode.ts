import type { Named } from '@interleave/config'
import type { Json } from '@interleave/core'
import { type Code, callCode, listCode, objectCode, valueCode } from './printCode.ts'
import { byFile, NoCode, type Writing } from './Writing.ts'

/** A step of an agent, such as its backend. */
export function stepCode(named: Named, writing: Writing): Code {
  const [name = '', options = {}] = typeof named === 'string' ? [named] : (Object.entries(named)[0] ?? [])
  const write = Object.hasOwn(steps, name) ? steps[name] : undefined
  if (!write) throw new NoCode(`Its file uses the step ${name}. ${byFile}`)
  return write(options, writing)
}

type WriteStep = (options: Json, writing: Writing) => Code

/** A step whose options are plain. */
const plainStep =
  (from: string, name: string): WriteStep =>
  (options, { imports }) =>
    callCode(imports.add(from, name), ...given(valueCode(options)))

/** A step of this page. */
const ownStep =
  (name: string, ...options: readonly string[]): WriteStep =>
  (given, { imports }) => {
    imports.add('./fares/steps.ts', name)
    return options.length === 0 ? name : callCode(name, ...options.map((option) => valueCode(Object(given)[option])))
  }

const steps: Readonly<Record<string, WriteStep>> = {
  reasonAct(options, writing) {
    const members = Object.entries(record(options)).map(([name, value]) => [
      name,
      reasonActOption(name, value, writing),
    ])
    return callCode(
      writing.imports.add('@interleave/core', 'reasonAct'),
      ...given(objectCode(Object.fromEntries(members))),
    )
  },
  rememberPermissions(options, writing) {
    const step = stepCode(record(options).backend as Named, writing)
    // On a server, each user needs a store of their own.
    if (writing.host === 'server') return step
    const store = `${writing.imports.add('@interleave/core/indexeddb', 'indexedDbPermissionStore')}()`
    return callCode(writing.imports.add('@interleave/core/steps', 'rememberPermissions'), step, objectCode({ store }))
  },
  inOrder(options, writing) {
    const all = (options as readonly Named[]).map((step) => stepCode(step, writing))
    return callCode(writing.imports.add('@interleave/core/steps', 'inOrder'), ...all)
  },
  graph(options, writing) {
    const { nodes, edges, ...others } = record(options)
    const plain = Object.entries(others).map(([name, value]) => [name, valueCode(value)] as const)
    const members = {
      ...Object.fromEntries(plain),
      nodes: objectCode(mapped(nodes, (node) => stepCode(node as Named, writing))),
      edges: objectCode(mapped(edges, (to) => edgeCode(to, writing))),
    }
    return callCode(writing.imports.add('@interleave/core/graph', 'graph'), objectCode(members))
  },
  untilAnswer(options, writing) {
    const { node, ...others } = record(options)
    if (Object.keys(others).length > 0) throw new NoCode(`Its file uses options of the step untilAnswer. ${byFile}`)
    return callCode(writing.imports.add('@interleave/core/graph', 'untilAnswer'), stepCode(node as Named, writing))
  },
  parallel(options, writing) {
    const { branches, ...others } = record(options)
    const steps = objectCode(mapped(branches, (step) => stepCode(step as Named, writing)))
    const more = given(objectCode(mapped(others, valueCode)))
    return callCode(writing.imports.add('@interleave/core/graph', 'parallel'), steps, ...more)
  },
  wait: (options, { imports }) =>
    callCode(imports.add('@interleave/core/graph', 'wait'), valueCode(record(options).ms)),
  countLook: ownStep('countLook'),
  askWhatNow: ownStep('askWhatNow'),
  bookFare: ownStep('bookFare'),
  lookAt: ownStep('lookAt', 'means'),
  compareFares: ownStep('compareFares', 'looks'),
  textAnswer: plainStep('@interleave/core', 'textAnswer'),
  finalAnswer: plainStep('@interleave/core', 'finalAnswer'),
  confidentAnswer: plainStep('@interleave/core/steps', 'confidentAnswer'),
  noRepeats: plainStep('@interleave/core/steps', 'noRepeats'),
  forceAction: plainStep('@interleave/core/steps', 'forceAction'),
  remind: plainStep('@interleave/core/steps', 'remind'),
}

function reasonActOption(name: string, value: Json, writing: Writing): Code {
  if (name === 'stop' || name === 'otherwise') return stepCode(value as Named, writing)
  if (Array.isArray(value)) return listCode(value.map((step) => stepCode(step as Named, writing)))
  return valueCode(value)
}

function edgeCode(to: Json, writing: Writing): Code {
  if (typeof to === 'string') return targetCode(to, writing)
  const { targets, choose } = record(record(to).router)
  const { imports } = writing
  const all = (targets as readonly string[]).map((name) => targetCode(name, writing))
  return callCode(
    imports.add('@interleave/core/graph', 'router'),
    listCode(all),
    imports.add('./fares/routes.ts', String(choose)),
  )
}

const targetCode = (name: string, { imports }: Writing): Code =>
  name === 'END' ? imports.add('@interleave/core/graph', 'END') : valueCode(name)

/** Omits empty options. */
const given = (options: Code): readonly Code[] =>
  typeof options === 'object' && options.parts.length === 0 ? [] : [options]

const record = (value: Json | undefined): Readonly<Record<string, Json>> => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, Json>>
  throw new NoCode(`Its file has a step with other options. ${byFile}`)
}

const mapped = (value: Json | undefined, write: (value: Json) => Code): Readonly<Record<string, Code>> =>
  Object.fromEntries(Object.entries(record(value)).map(([name, member]) => [name, write(member)]))
