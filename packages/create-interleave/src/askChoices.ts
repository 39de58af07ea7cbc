import type { Readable, Writable } from 'node:stream'
import { cancel, confirm, intro, isCancel, select, text } from '@clack/prompts'
import { contentOf } from './createProject.ts'
import { type Choices, templateNames, templates } from './templates.ts'

/** The terminal, in place of the process's own. */
interface Terminal {
  readonly input?: Readable
  readonly output?: Writable
}

/** Asks for the choices that the command line omits. Returns undefined if the user cancels. */
export async function askChoices(given: Choices, terminal: Terminal = {}): Promise<Choices | undefined> {
  intro('Interleave', terminal)
  const directory = given.directory ?? (await askDirectory(terminal))
  if (isCancel(directory)) return end(terminal)
  const overwrite = given.overwrite || contentOf(directory) !== 'files' || (await askOverwrite(directory, terminal))
  if (overwrite !== true) return end(terminal)
  const template = given.template ?? (await askTemplate(terminal))
  return isCancel(template) ? end(terminal) : { directory, template, overwrite }
}

const askDirectory = (terminal: Terminal) =>
  text({ message: 'Where? Name a directory.', placeholder: 'my-agent', defaultValue: 'my-agent', ...terminal })

const askOverwrite = (directory: string, terminal: Terminal) =>
  confirm({
    message: `"${directory}" is not empty. Replace files of the same name?`,
    initialValue: false,
    ...terminal,
  })

const askTemplate = (terminal: Terminal) =>
  select({
    message: 'Which template?',
    options: templateNames.map((value) => ({ value, label: value, hint: templates[value].hint })),
    ...terminal,
  })

function end(terminal: Terminal): undefined {
  cancel('Nothing was created.', terminal)
}
