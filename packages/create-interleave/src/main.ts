import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { contentOf, createProject, release } from './createProject.ts'
import { type Choices, isTemplate, templateNames } from './templates.ts'

const help = `${release.create} [options]

Creates an app with an agent, which runs without a key. It asks for the options that you omit.

  --template <name>  one of ${templateNames.join(', ')}
  --overwrite        write into a directory that is not empty, and replace files of the same name
  --no-interactive   ask nothing, and use my-agent and ${templateNames[0]} unless you pass others
  --help             show this text
`

/** An invalid command line. The message says what to do instead. */
class UsageError extends Error {}

/** Runs before the user reads what to do next, with the path of the new app. */
export type Finish = (app: string) => Promise<void>

/** Runs the command and returns its exit code: 0, 1 if it was used wrongly, 130 if the user cancelled. */
export async function main(args: readonly string[], finish?: Finish): Promise<number> {
  try {
    const { help: isHelp, interactive = true, ...given } = parse(args)
    if (isHelp) return say(help)
    const choices = interactive && hasTerminal() ? await (await import('./askChoices.ts')).askChoices(given) : given
    return choices ? say(await create(choices, finish)) : 130
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n\n${help}`)
    return 1
  }
}

function parse(args: readonly string[]) {
  const { positionals, values } = parsed(args)
  const { template, ...flags } = values
  const [directory, ...rest] = positionals
  if (rest.length > 0)
    throw new UsageError(`Pass one directory. There are ${positionals.length}: ${positionals.join(', ')}.`)
  if (directory?.trim() === '') throw new UsageError('The directory needs a name, such as my-agent.')
  if (template !== undefined && !isTemplate(template))
    throw new UsageError(`\`--template\` must be one of ${templateNames.join(', ')}. There is no "${template}".`)
  return { directory, template, ...flags }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        template: { type: 'string', short: 't' },
        overwrite: { type: 'boolean' },
        interactive: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function create(
  { directory = 'my-agent', template = 'vite-react', overwrite = false }: Choices,
  finish?: Finish,
): Promise<string> {
  const target = path.resolve(directory)
  try {
    const content = contentOf(target)
    if (content === 'file') throw new UsageError(`"${directory}" is a file. Choose another name for the directory.`)
    if (content === 'files' && !overwrite)
      throw new UsageError(`"${directory}" is not empty. Choose another directory, or pass \`--overwrite\`.`)
    createProject(target, template)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new UsageError(`"${directory}" cannot be written: ${error.message}. Choose another directory.`)
  }
  await finish?.(target)
  const manager = managerOf(process.env.npm_config_user_agent)
  const from = path.relative(process.cwd(), target)
  const steps = [
    ...(from ? [`cd ${/\s/.test(from) ? `"${from}"` : from}`] : []),
    `${manager} install`,
    `${manager} run dev`,
  ]
  return `Created ${directory} from the template ${template}. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}`
}

/** Returns the package manager that runs this: npm, pnpm, yarn or bun. */
const managerOf = (userAgent = ''): string => /^(?:pnpm|yarn|bun)(?=\/)/.exec(userAgent)?.[0] ?? 'npm'

const hasTerminal = (): boolean =>
  process.stdin.isTTY && process.stdout.isTTY && ['', 'false', undefined].includes(process.env.CI)

function say(text: string): 0 {
  console.log(text)
  return 0
}
