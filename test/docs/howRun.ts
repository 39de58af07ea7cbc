import { readdirSync } from 'node:fs'
import path from 'node:path'
import { root } from './codeBlocks.ts'
import type { Module } from './moduleOf.ts'
import { modules } from './modules.ts'

const tutorial = readdirSync(path.join(root, 'docs/tutorial')).map((name) => `docs/tutorial/${name}`)

/** Pages that are one program each, from top to bottom, and print what they show. */
export const notebooks: readonly string[] = [...tutorial, 'docs/graphs.md', 'docs/many-agents.md', 'docs/ai-sdk.md']

/** Programs that a test of their own runs, and where it is. */
export const ownTests: Readonly<Record<string, string>> = {
  'README.md 1': 'test/docs/programs.nightly.test.ts',
  'README.md 2': 'test/docs/programs.nightly.test.ts',
  'README.md 3': 'test/docs/inChromium.soak.test.ts',
  'docs/coming-from.md 1': 'test/docs/inChromium.soak.test.ts',
  'docs/coming-from.md 3': 'test/docs/inChromium.soak.test.ts',
  'docs/edge.md 1': 'test/edge/documented.workerd.test.ts',
  'docs/frameworks.md 2': 'test/docs/frameworks.nightly.test.ts',
  'docs/frameworks.md 3': 'test/docs/frameworks.nightly.test.ts',
  'docs/frameworks.md 4': 'test/docs/frameworks.nightly.test.ts',
  'docs/frameworks.md 5': 'test/docs/frameworks.nightly.test.ts',
  'docs/frameworks.md 7': 'test/docs/frameworks.nightly.test.ts',
  'docs/getting-started.md 4': 'test/docs/inChromium.soak.test.ts',
  'docs/journals.md 2': 'test/docs/inChromium.soak.test.ts',
  'docs/mcp.md 5': 'test/docs/inChromium.soak.test.ts',
  'docs/react.md 1': 'test/docs/inChromium.soak.test.ts',
  'docs/react.md 6': 'test/docs/inChromium.soak.test.ts',
  'docs/react.md 11': 'test/docs/inChromium.soak.test.ts',
  'docs/react.md 17': 'test/docs/inChromium.soak.test.ts',
  'docs/scaling-out.md 1': 'test/restate/documented.soak.restate.test.ts',
  'docs/scaling-out.md 2': 'test/restate/documented.soak.restate.test.ts',
  'docs/scaling-out.md 7': 'test/restate/documented.soak.restate.test.ts',
  'docs/scaling-out.md 8': 'test/restate/documented.soak.restate.test.ts',
  'docs/serving.md 1': 'test/docs/inChromium.soak.test.ts',
  'docs/serving.md 2': 'test/docs/inChromium.soak.test.ts',
  'docs/workers.md 1': 'test/docs/inChromium.soak.test.ts',
  'docs/workers.md 2': 'test/docs/inChromium.soak.test.ts',
  'packages/restate/README.md 1': 'test/restate/documented.soak.restate.test.ts',
}

/** Programs that no test runs, and why. */
export const exempt: Readonly<Record<string, string>> = {
  'docs/scaling-out.md 9':
    'its SDK is WebAssembly that only a bundler for workers takes; test/restate/workerd.soak.restate.test.ts serves runs with it',
  'docs/serving.md 4': 'it needs a database; test/servers/journals.survival.test.ts opens the journal on one',
}

/** Blocks that run as a part of their page. */
export const inNotebooks: readonly Module[] = modules.filter(
  ({ block }) => notebooks.includes(block.page) && block.language === 'ts',
)

const isElsewhere = ({ name, block }: Module): boolean =>
  notebooks.includes(block.page) || Object.hasOwn(ownTests, name) || Object.hasOwn(exempt, name)

/** The other programs: each runs alone in Node, and ends by itself. */
export const onNode: readonly Module[] = modules.filter((module) => module.isProgram && !isElsewhere(module))
