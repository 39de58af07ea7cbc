import type { AgentConfig } from '@interleave/config'
import type { Event } from '@interleave/core'
import { agentCode } from './agentCode.ts'
import { manifestFor, templateFile, templateFiles } from './manifest.ts'
import { type Names, namesOf } from './names.ts'
import { modelCode, plainPageCode, testCode, workerCode, workerHandleCode } from './pageCode.ts'
import { textCode } from './printCode.ts'
import { importsOf, withImports } from './sources.ts'
import type { ProgramHost } from './Writing.ts'

/** The variant of a program: how it shows its agent, and where it runs it. */
export interface Variant {
  readonly ui: 'react' | 'plain'
  readonly host: ProgramHost
}

export interface ProjectOptions extends Variant {
  readonly name: string
  readonly config: AgentConfig
  /** The address of this page. */
  readonly origin: string
  /** The first message. */
  readonly prompt: string
  /** The run whose turns the project's model replays. */
  readonly events: readonly Event[]
}

export interface Project {
  /** The name of its folder. */
  readonly name: string
  /** All files, by path. */
  readonly files: ReadonlyMap<string, string>
  /** The files that say how this agent is made, in the order to read them. */
  readonly shown: readonly string[]
}

type Files = Map<string, string>

/** Makes the project of an agent from the templates of `create-interleave`. Throws `NoCode` if the agent has no code. */
export function createProject(options: ProjectOptions): Project {
  const names = namesOf(options.name)
  const agentFile = `src/${names.variable}.ts`
  const code = agentCode({ ...names, config: options.config }, options)
  const sources: Files = new Map(
    [...withImports(importsOf('agent.ts', code))].map(([path, text]) => [`src/${path}`, text]),
  )
  const page = pageFiles(names, options)
  const files: Files = new Map([
    ...fromTemplate(names, options),
    ...page,
    ...sources,
    [agentFile, code],
    ['src/model.ts', modelCode(options.events)],
    [`src/${names.variable}.test.ts`, testCode(names)],
  ])
  files.set('package.json', manifestFor(files.get('package.json') ?? '{}', { slug: names.slug, files }))
  return {
    name: names.slug,
    files,
    shown: [agentFile, ...page.keys(), ...[...sources.keys()].filter(isShown(sources))],
  }
}

/** Tools, and what asks. */
const isShown =
  (sources: Files) =>
  (path: string): boolean =>
    path.startsWith('src/tools/') || /\bask\(/.test(sources.get(path) ?? '')

/** The files of the template, for this agent. */
function fromTemplate(names: Names, { ui, host, prompt, config }: ProjectOptions): Files {
  const files: Files = new Map()
  for (const [path, text] of templateFiles(host === 'server' ? 'node-hono' : 'vite-react'))
    if (ui === 'react' || !isOfReact(path)) files.set(forAgent(path, names, prompt), forAgent(text, names, prompt))
  if (ui === 'plain') {
    replace(files, 'index.html', 'main.tsx', 'main.ts')
    replace(files, 'vite.config.ts', "import react from '@vitejs/plugin-react'\n", '')
    replace(files, 'vite.config.ts', 'react()', '')
    replace(files, 'vite.config.ts', '[, ', '[')
  }
  if (config.output !== undefined) replace(files, 'src/Chat.tsx', 'AgentHandle<string, ', 'AgentHandle<unknown, ')
  return files
}

function replace(files: Files, path: string, text: string, by: string): void {
  const before = files.get(path)
  if (before !== undefined)
    files.set(
      path,
      before.replace(text, () => by),
    )
}

const isOfReact = (path: string): boolean => /^src\/(?:Chat|main)\.tsx$|^src\/chat\.css$/.test(path)

/** A text of the templates, whose agent is a waiter. */
const forAgent = (text: string, { name, variable, type, title }: Names, prompt: string): string =>
  text
    .replaceAll('>Waiter<', () => `>${title}<`)
    .replaceAll("'waiter'", () => textCode(name))
    .replaceAll("'A table for four, please.'", () => textCode(prompt))
    .replaceAll('remoteWaiter', () => `remote${type}`)
    .replaceAll(/\bWaiter\b/g, () => type)
    .replaceAll(/\bwaiter\b/g, () => variable)

/** The files that run the agent and show it. */
function pageFiles(names: Names, { ui, host, prompt }: ProjectOptions): Files {
  const { variable, type } = names
  const files: Files = new Map()
  const from = { page: variable, worker: `worker${type}`, server: `remote${type}` }[host]
  const template = (layer: string, path: string): string => forAgent(templateFile(layer, path), names, prompt)
  if (host === 'worker') {
    files.set(`src/${variable}.worker.ts`, workerCode(names))
    files.set(`src/${from}.ts`, workerHandleCode(names))
  }
  if (host === 'server') {
    files.set('src/server.ts', template('node-hono', 'src/server.ts'))
    files.set(`src/${from}.ts`, template('remote', 'src/remoteWaiter.ts'))
  }
  if (ui === 'plain') files.set('src/main.ts', plainPageCode({ variable, from, prompt, hasJournal: host === 'page' }))
  else if (host === 'page') files.set('src/main.tsx', template('vite-react', 'src/main.tsx'))
  else
    files.set(
      'src/main.tsx',
      template('page', 'src/main.tsx').replace(`remote${type}`, () => from),
    )
  return files
}
