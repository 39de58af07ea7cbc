import type { Event } from '@interleave/core'
import { redact } from '@interleave/core/observe'
import { turnsIn } from '../golden/rerunTest.ts'
import type { Names } from './names.ts'
import { printCode, textCode, valueCode } from './printCode.ts'

/** Returns the model of a project. It replays the turns of a run's model, so it needs no key. Secrets are omitted. */
export const modelCode = (
  events: readonly Event[],
): string => `import { type ScriptedTurn, scriptedModel } from '@interleave/testing'

/** The model's turns of a run. */
const turns: ScriptedTurn[] = ${printCode(valueCode(redact(turnsIn(events)).value))}

/**
 * A demo model: it replays recorded turns, and needs no key. For a real one, run \`npm install @ai-sdk/openai@4\`. On a
 * server, set \`OPENAI_API_KEY\`, and write \`export const model = openai('gpt-5-mini')\`. In a page there is no such
 * variable: for your own machine, write \`createOpenAI({ apiKey })('gpt-5-mini')\`; everybody who opens the page can
 * read the key.
 */
export const model = scriptedModel(
  ({ prompt }) => turns[prompt.filter(({ role }) => role === 'assistant').length] ?? 'I am a demo model, and have no more to say.',
)
`

/** Runs the agent in a worker, which all tabs share. */
export const workerCode = ({ variable }: Names): string => `import { workerHost } from '@interleave/connect/worker'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { ${variable} } from './${variable}.ts'

workerHost([${variable}], { journal: indexedDbJournal() })
`

/** The agent of the worker, for the page. */
export const workerHandleCode = ({
  name,
  variable,
  type,
}: Names): string => `import { workerAgent } from '@interleave/connect/worker'
import type { ${variable} as ${type} } from './${variable}.ts'

const worker = new SharedWorker(new URL('./${variable}.worker.ts', import.meta.url), { type: 'module' })

/** The agent of the worker, for the page. */
export const ${variable} = workerAgent<typeof ${type}>(worker, ${textCode(name)})
`

export interface PlainPage {
  readonly variable: string
  /** The file with the agent, or with its handle. */
  readonly from: string
  readonly prompt: string
  /** The page stores the run itself. */
  readonly hasJournal: boolean
}

/** A page without a library. */
export const plainPageCode = ({ variable, from, prompt, hasJournal }: PlainPage): string => {
  const agent = hasJournal ? 'agent' : variable
  const imports = `import { acrossTabs } from '@interleave/connect/tabs'
import type { Ask, Json } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'`
  return `${hasJournal ? imports : "import type { Ask, Json } from '@interleave/core'"}
import { ${variable} } from './${from}.ts'

${hasJournal ? `const agent = acrossTabs(${variable}, { journal: indexedDbJournal() })\n` : ''}const id = sessionStorage.getItem('run') // A reload continues the run.
const run = id ? await ${agent}.resume(id) : ${agent}.start(${textCode(prompt)})
sessionStorage.setItem('run', run.id)

let signal = await run.settled
while (signal.type === 'inputNeeded') {
  for (const ask of signal.asks) await run.reply(ask, answer(ask))
  signal = await run.settled
}
document.body.append(signal.type === 'answer' ? \`\${signal.output}\` : signal.type)
sessionStorage.removeItem('run')

/** Asks in the simplest way. In React, <SignalOutlet> shows each question as a dialog. */
function answer(ask: Ask): Json {
  if (ask.kind === 'approval') return { approved: confirm(ask.prompt) }
  if (ask.kind === 'confirm') return confirm(ask.prompt)
  const options = ask.kind === 'choice' ? ask.options.map(({ value, label }) => \`\${value}: \${label}\`) : []
  const text = prompt([ask.prompt, ...options].join('\\n')) ?? ''
  return ask.kind === 'choice' || ask.kind === 'text' ? text : JSON.parse(text)
}
`
}

/** A first test of the agent. */
export const testCode = ({ variable, title }: Names): string => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ${variable} } from './${variable}.ts'

test('${title} works, or asks', async () => {
  const signal = await ${variable}.start('Hello').settled

  assert.notEqual(signal.type, 'failed', JSON.stringify(signal))
})
`
