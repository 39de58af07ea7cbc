import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Agent, Json, Signal } from '@interleave/core'
import { recorder } from '@interleave/core/observe'
import { formatTrace, manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { build } from 'vite'
import { beforeAll, expect, it } from 'vitest'
import { agentFrom } from '../agents/agentFrom.ts'
import { agents, type Offer } from '../agents/index.ts'
import { readAgent } from '../editor/agentForm.ts'
import { knownTools } from '../editor/knownNames.ts'
import { libraries, libraryTypes } from './manifest.ts'
import { namesOf } from './names.ts'
import { createProject, type Project, type ProjectOptions, type Variant } from './project.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../../../..')
/** Beside the packages that the projects import; ignored by git. */
const folder = path.join(import.meta.dirname, '../../.generated/projects')
const variants = (['react', 'plain'] as const).flatMap((ui) =>
  (['page', 'worker', 'server'] as const).map((host): Variant => ({ ui, host })),
)

const projectOf = (
  { file, prompts }: Pick<Offer, 'file' | 'prompts'>,
  given: Partial<ProjectOptions> = {},
): Project => {
  const agent = readAgent(file)
  if (!agent) throw new Error('The file has no agent.')
  const options = { ui: 'react', host: 'page', origin: 'http://localhost:5173', events: [] } as const
  return createProject({ ...options, ...agent, prompt: prompts[0] ?? '', ...given })
}
const named = (title: string): Offer => agents.find((offer) => offer.title === title) ?? (agents[0] as Offer)

function write(name: string, { files }: Project): string {
  for (const [file, text] of files) {
    const target = path.join(folder, name, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  return path.join(folder, name)
}

beforeAll(() => rmSync(folder, { recursive: true, force: true }))

/** An agent with all options that the form of the playground has. */
const edited: Pick<Offer, 'file' | 'prompts'> = {
  prompts: ["Isn't it `late`?"],
  file: `
interleave: 1
agents:
  the "edited" agent:
    version: "2"
    model: chosen
    instructions: |
      Say \`yes\`, or $\{no}.
      It's "so".
    tools: { sum: calculate, askUser: { askUser: { description: Asks } } }
    output: { type: object, properties: { total: { type: number } } }
    backend: { reasonAct: { stop: finalAnswer, limits: { iterations: 5, ms: 1000 } } }
    prices: { a: { input: 1, output: 2 } }
`,
}

it('type-checks the projects of all agents, under strict', async () => {
  for (const offer of [...agents, { ...edited, id: 'edited' }])
    for (const { ui, host } of variants)
      if ((ui === 'react' || offer.id === 'trip') && !(offer.id === 'data' && host === 'server'))
        write(`${offer.id}-${ui}-${host}`, projectOf(offer, { ui, host }))
  const base = JSON.parse(projectOf(agents[0] as Offer).files.get('tsconfig.json') ?? '')
  const compilerOptions = { ...base.compilerOptions, customConditions: ['@interleave/source'], noUnusedLocals: true }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/src'] }))

  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '--pretty', 'false', '-p', folder], { maxBuffer: 1e8 }).catch(
    (error: { stdout: string }) => error,
  )

  expect(stdout.split('\n').filter(Boolean)).toEqual([])
})

it('is built by Vite, with its worker in a file of its own', async () => {
  const root = write('built', projectOf(named('Calculator'), { ui: 'plain', host: 'worker' }))

  const built = await build({ root, logLevel: 'error', build: { write: false, minify: false } })

  const files = [built].flat().flatMap((each) => ('output' in each ? each.output.map(({ fileName }) => fileName) : []))
  expect(files).toEqual(expect.arrayContaining(['index.html', expect.stringMatching(/calculator\.worker/)]))
})

interface Case {
  readonly turns: readonly ScriptedTurn[]
  readonly replies: readonly Json[]
}
const calls = (name: string, input: object): ScriptedTurn => ({ calls: [{ name, input }] })

const cases: Readonly<Record<string, Case>> = {
  'Trip planner': {
    turns: [
      calls('searchConnections', { from: 'Paris', to: 'Amsterdam', means: 'train' }),
      calls('askUser', { kind: 'choice', question: 'Which?', options: ['early', 'late'] }),
      calls('book', { id: 'RAIL-PAR-AMS-0720', travellers: 2 }),
      'Booked.',
    ],
    replies: ['early', { approved: true }],
  },
  Calculator: { turns: [calls('calculate', { expression: '15% of 84.50' }), 'It is 12.675.'], replies: [] },
  'Data analyst': {
    turns: [calls('aggregate', { operation: 'mean', column: 'price', groupBy: 'city' }), 'Done.'],
    replies: [{ file: 'City;Price\nLisbon;10\nRome;30\n' }],
  },
  'Fare watch': {
    turns: [calls('searchConnections', { from: 'Paris', to: 'Amsterdam' }), 'Found some.'],
    replies: ['book'],
  },
}

it.each(Object.entries(cases))(
  'the project of %s does the same as the agent of the page',
  async (title, { turns, replies }) => {
    const offer = named(title)
    const before = await logOf(agentFrom(offer.file, { model: scriptedModel(...turns) }), {
      prompt: offer.prompts[0] ?? '',
      replies,
    })
    // Node has no IndexedDB.
    const project = projectOf(offer, { events: before, host: title === 'Data analyst' ? 'page' : 'server' })
    const home = write(`${offer.id}-again`, project)

    const module: Record<string, Agent> = await import(path.join(home, project.shown[0] ?? ''))
    const after = await logOf(Object.values(module)[0] as Agent, { prompt: offer.prompts[0] ?? '', replies })

    expect(before.at(-1)).toMatchObject({ type: 'settled', signal: { type: 'answer' } })
    expect(formatTrace(after)).toBe(formatTrace(before))
  },
)

async function logOf(agent: Agent, { prompt, replies }: { prompt: string; replies: readonly Json[] }) {
  const host = manualHost()
  const log = recorder()
  const started = agent.start(prompt, { host, observers: [log] })
  const rest = async (): Promise<Signal> => {
    // Code that is loaded takes real time, in which no time limit of a tool passes.
    let [seq, seconds] = [0, 0]
    while (!started.state.signal) {
      await new Promise((resolve) => setTimeout(resolve))
      if (started.state.seq !== seq) [seq, seconds] = [started.state.seq, 0]
      if (seconds++ < 40) await host.advance(1_000)
    }
    return started.settled
  }
  for (const reply of replies) {
    await rest()
    await started.reply(started.state.asks[0]?.id ?? '', reply)
  }
  await rest()
  return log.export().events
}

it('the project of the docs reader finds the pages that its user puts there', async () => {
  const project = projectOf(named('Docs reader'))
  const home = write('docs-found', project)
  const turns = [calls('searchDocs', { query: 'signal' }), 'Found.']
  writeFileSync(
    path.join(home, 'src/model.ts'),
    `import { scriptedModel } from '@interleave/testing'\nexport const model = scriptedModel(...${JSON.stringify(turns)})`,
  )

  const module: Record<string, Agent> = await import(path.join(home, project.shown[0] ?? ''))
  const started = (Object.values(module)[0] as Agent).start('What is a signal?')

  expect(await started.settled).toMatchObject({ type: 'answer' })
  expect(JSON.stringify(started.state.history)).toContain('signals.md#signals')
})

it('writes each tool that an agent of the page can have', () => {
  const tools = knownTools().map(({ name }) => name)
  const file = JSON.stringify({ interleave: 1, agents: { one: { model: 'chosen', tools } } })

  const [code] = shownOf(projectOf({ file, prompts: [] }))

  expect(tools.length).toBeGreaterThan(10)
  for (const name of tools.filter(
    (tool) => !['buy', 'listGoods', 'countStock', 'redeemGiftCard', 'cancelOrder', 'openShelf'].includes(tool),
  ))
    expect(code).toContain(name)
  expect(code).toContain('mcpTools(shop)')
})

const shownOf = ({ files, shown }: Project): readonly string[] => shown.map((file) => files.get(file) ?? '')

it('says what has no code', () => {
  const file = JSON.stringify({ interleave: 1, agents: { one: { model: 'chosen', backend: { compact: {} } } } })

  expect(() => projectOf({ file, prompts: [] })).toThrow('the step compact. Load the file itself')
  expect(() => projectOf(named('Data analyst'), { host: 'server' })).toThrow('all users of a server would share')
})

it('has no variable that is a word of the language', () => {
  expect(namesOf('new').variable).toBe('myNewAgent')
  expect(namesOf('2 cats').variable).toBe('my2CatsAgent')
  expect(namesOf('…')).toMatchObject({ variable: 'myAgent', slug: 'my-agent', title: 'Agent' })
  expect(namesOf('trip planner')).toMatchObject({ variable: 'tripPlanner', type: 'TripPlanner', title: 'Trip planner' })
})

it('installs the versions that are tested here', () => {
  const workspace = readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8')

  for (const [name, version] of Object.entries({ ...libraries, ...libraryTypes }))
    expect(workspace).toMatch(new RegExp(`"?${name}"?: ${version.replaceAll('.', '\\.')}\n`))
})

it('depends on what it imports, and on no library of another page', () => {
  const react = JSON.parse(projectOf(named('Data analyst')).files.get('package.json') ?? '')
  const plain = JSON.parse(projectOf(named('Shopper'), { ui: 'plain', host: 'server' }).files.get('package.json') ?? '')

  expect(react).toMatchObject({ name: 'data-analyst', devDependencies: { '@types/papaparse': '5.5.2' } })
  expect(Object.keys(react.dependencies)).toEqual([
    '@interleave/connect',
    '@interleave/core',
    '@interleave/react',
    '@interleave/testing',
    'papaparse',
    'react',
    'react-dom',
    'zod',
  ])
  expect(Object.keys({ ...plain.dependencies, ...plain.devDependencies }).join()).not.toContain('react')
  expect(Object.keys(plain.dependencies)).toEqual(
    expect.arrayContaining(['@interleave/mcp', '@interleave/server', 'hono']),
  )
})

it('leaves secrets of a run out of the model of the project', async () => {
  const secret = `sk-proj-${'a1B2'.repeat(12)}`
  const turns = [calls('calculate', { expression: '1 + 1' }), `The key is ${secret}, and the sum is 2.`]
  const events = await logOf(agentFrom(named('Calculator').file, { model: scriptedModel(...turns) }), {
    prompt: 'Hi',
    replies: [],
  })

  const model = projectOf(named('Calculator'), { events }).files.get('src/model.ts')

  expect(model).toContain('and the sum is 2')
  expect(model).not.toContain(secret)
})
