import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fetchTool } from '../../scripts/fetch-tool.mjs'
import { root } from './codeBlocks.ts'
import { tsconfig } from './tsconfig.ts'

/**
 * The packages of each library whose program a page shows, by a word of the heading above it. They are installed when
 * a test first needs them: the lockfile does not have them, since CopilotKit alone is 500 MB.
 */
export const peers = {
  LangGraph: {
    versions: { '@langchain/langgraph': '1.7.3', langchain: '1.5.14' },
    others: ['@langchain/core@1.4.0', '@langchain/openai@1.6.0', 'zod@4.6.7'],
  },
  'OpenAI Agents': { versions: { '@openai/agents': '0.20.0' }, others: ['zod@4.6.7'] },
  'TanStack AI': {
    versions: { '@tanstack/ai': '0.58.0' },
    others: ['@tanstack/ai-react@0.27.3', 'react@19.3.1', 'zod@4.6.7'],
  },
  CopilotKit: { versions: { '@copilotkit/react-core': '1.74.0' }, others: ['react@19.3.1', 'react-dom@19.3.1'] },
} as const satisfies Record<string, { versions: Readonly<Record<string, string>>; others: readonly string[] }>

export type Peer = keyof typeof peers

/** The names that the programs leave to their reader. */
const prelude = `
declare function showMyDialog(question: unknown): Promise<unknown>
declare function save(state: string): Promise<void>`

/** Writes a program beside the packages of its library. Returns its folder, which the compiler can check. */
export async function writeProgram(peer: Peer, file: string, code: string): Promise<string> {
  const { versions, others } = peers[peer]
  const own = Object.entries(versions).map((each) => each.join('@'))
  const slug = [peer.toLowerCase().replaceAll(' ', '-'), ...Object.values(versions)].join('-')
  const home = await fetchTool(slug, [...own, ...others])
  const folder = path.join(import.meta.dirname, '.generated/peers', slug)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  symlinkSync(path.join(home, 'node_modules'), path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, file), code)
  writeFileSync(path.join(folder, 'prelude.d.ts'), prelude)
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(nextToItsPackages))
  return folder
}

/** The types that the packages leave to the app are this repository's. */
const installed = path.join(root, 'node_modules')
const react = path.join(import.meta.dirname, 'node_modules/@types/react')
const nextToItsPackages = {
  compilerOptions: {
    ...tsconfig.compilerOptions,
    customConditions: [],
    typeRoots: [path.join(installed, '@types'), installed],
    paths: { react: [react], 'react/*': [`${react}/*`] },
  },
  include: ['*'],
}
