import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Agent } from '@interleave/core'
import { isAgent, messageOf } from '@interleave/core/internal'
import { evaluate } from '../evaluate/evaluate.ts'
import { formatEvaluation } from '../evaluate/evaluation.ts'
import { decodeText, plainText } from '../evaluate/plainText.ts'
import { type EvalCase, readCases } from '../evaluate/readCases.ts'
import { contains, exact, jsonEqual, type Scorer } from '../evaluate/scorers.ts'
import { replayRun } from '../replay/replayRun.ts'

const usage = `interleave test <run.json …>             replays recorded runs, and prints the first difference
interleave test <cases.csv|cases.jsonl>   runs an agent over a data set, and prints pass rates

  --agent <module.ts#export>    the agent; without it, runs replay with the recorded tools alone
  --model recorded|agent        for runs: whose model answers (recorded)
  --tools recorded|agent        for runs: whose tools run (recorded)
  --scorer <name or module.ts#export>   for data sets: exact, contains or json, or your own
  --runs <n>                    for data sets: runs of each case (1)
  --concurrency <n>             for data sets: runs at the same time (4)
  --min <percent>               for data sets: the pass rate below which the command fails (100)
`

export interface Terminal {
  print(text: string): void
  fail(text: string): void
  readonly cwd: string
  readonly signal?: AbortSignal
}

/** Runs the command, and returns its exit code: 0, or 1 for a difference, a low pass rate or an error. */
export async function main(args: readonly string[], { print, fail, ...rest }: Terminal): Promise<number> {
  // Much of the output was written by models, files and foreign modules.
  const terminal: Terminal = {
    ...rest,
    print: (text) => print(plainText(text)),
    fail: (text) => fail(plainText(text)),
  }
  try {
    const { values, positionals } = parse(args)
    const [command, ...files] = positionals
    if (values.help) {
      terminal.print(usage)
      return 0
    }
    if (command !== 'test' || files.length === 0) throw new Error(`Name a command and a file.\n\n${usage}`)
    let code = 0
    for (const file of files) {
      // A file that cannot be tested fails, and the next ones are still tested.
      const tested = testFile(file, values, terminal).catch((error: unknown) => {
        const message = messageOf(error)
        terminal.fail(message.startsWith(file) ? message : `${file}: ${message}`)
        return 1
      })
      code = Math.max(code, await tested)
    }
    return code
  } catch (error) {
    terminal.fail(messageOf(error))
    return 1
  }
}

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      agent: { type: 'string' },
      model: { type: 'string' },
      tools: { type: 'string' },
      scorer: { type: 'string' },
      runs: { type: 'string' },
      concurrency: { type: 'string' },
      min: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })

type Values = ReturnType<typeof parse>['values']

async function testFile(file: string, values: Values, terminal: Terminal): Promise<number> {
  const text = await readText(path.resolve(terminal.cwd, file), file)
  const agent = values.agent === undefined ? undefined : await agentOf(values.agent, terminal.cwd)
  const extension = path.extname(file).toLowerCase()
  if (extension !== '.csv' && extension !== '.jsonl') return testRecorded({ file, text, agent }, values, terminal)
  if (!agent) throw new Error(`${file} is a data set. Name the agent to run: --agent agent.ts#guide.`)
  const cases = () => readCases(text, { format: extension === '.csv' ? 'csv' : 'jsonl' })
  return testCases({ agent, cases }, values, terminal)
}

interface Recorded {
  readonly file: string
  readonly text: string
  readonly agent: Agent | undefined
}

async function testRecorded(
  { file, text, agent }: Recorded,
  { model, tools }: Values,
  terminal: Terminal,
): Promise<number> {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw new Error(
      `${file} is not JSON. Give the file of a run, such as that of exportRun(), or a data set (.csv, .jsonl).`,
    )
  }
  const { difference, compared, ms } = await replayRun(data, {
    ...sourceOf('model', model),
    ...sourceOf('tools', tools),
    ...(agent && { agent }),
    ...(terminal.signal && { signal: terminal.signal }),
  })
  if (!difference) {
    terminal.print(`✓ ${file}: same trace, ${compared} events in ${Math.round(ms)} ms`)
    return 0
  }
  const { message, recorded = '(end)', replayed = '(nothing)' } = difference
  terminal.fail(`✗ ${file}: ${message}\n    recorded: ${recorded}\n    replayed: ${replayed}`)
  return 1
}

function sourceOf(option: 'model' | 'tools', value: string | undefined): object {
  if (value === undefined) return {}
  if (value !== 'recorded' && value !== 'agent') throw new Error(`\`--${option}\` must be "recorded" or "agent".`)
  return { [option]: value }
}

interface DataSet {
  readonly agent: Agent
  cases(): Promise<readonly EvalCase[]>
}

async function testCases({ agent, cases }: DataSet, values: Values, terminal: Terminal): Promise<number> {
  if (values.scorer === undefined)
    throw new Error('Name a scorer: --scorer contains, exact or json, or module.ts#export.')
  const min = numberOf('min', values.min) ?? 100
  if (min < 0 || min > 100) throw new Error('`--min` must be a percentage from 0 to 100.')
  const runs = numberOf('runs', values.runs)
  const concurrency = numberOf('concurrency', values.concurrency)
  const evaluation = await evaluate({
    agent,
    cases: await cases(),
    scorer: await scorerOf(values.scorer, terminal.cwd),
    ...(runs !== undefined && { runs }),
    limits: {
      ...(concurrency !== undefined && { concurrency }),
      ...(terminal.signal && { signal: terminal.signal }),
    },
  })
  terminal.print(formatEvaluation(evaluation))
  return evaluation.rate * 100 >= min ? 0 : 1
}

function numberOf(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) throw new Error(`\`--${option}\` must be a number.`)
  return number
}

const scorers: Readonly<Record<string, Scorer>> = { exact: exact(), contains: contains(), json: jsonEqual() }

async function scorerOf(name: string, cwd: string): Promise<Scorer> {
  const known = Object.hasOwn(scorers, name) ? scorers[name] : undefined
  if (known) return known
  const scorer = await exportOf(name, cwd, '--scorer')
  if (typeof scorer !== 'function') throw new Error(`\`--scorer ${name}\` is not a function.`)
  return scorer as Scorer
}

async function agentOf(name: string, cwd: string): Promise<Agent> {
  const agent = await exportOf(name, cwd, '--agent')
  if (!isAgent(agent)) throw new Error(`\`--agent ${name}\` is not an agent. Export what agent() returns.`)
  return agent
}

/** Loads one export of a module. Node itself runs TypeScript whose types can be erased. */
async function exportOf(name: string, cwd: string, option: string): Promise<unknown> {
  // Folders of a path may contain a # too.
  const mark = name.lastIndexOf('#')
  const [file, exported] = mark < 0 ? [name, 'default'] : [name.slice(0, mark), name.slice(mark + 1)]
  const address = pathToFileURL(path.resolve(cwd, file)).href
  let module: Readonly<Record<string, unknown>>
  try {
    module = await import(address)
  } catch (error) {
    throw new Error(`\`${option} ${name}\` cannot be loaded: ${messageOf(error)}`, { cause: error })
  }
  if (!Object.hasOwn(module, exported))
    throw new Error(`${file} has no export "${exported}". It has: ${Object.keys(module).join(', ') || 'none'}.`)
  return module[exported]
}

/** The maximum bytes of a file. */
const largest = 100_000_000

async function readText(address: string, file: string): Promise<string> {
  try {
    const bytes = await readFile(address)
    if (bytes.length > largest) throw new Error(`it is larger than ${largest} bytes`)
    return decodeText(bytes)
  } catch (error) {
    throw new Error(`${file} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}
