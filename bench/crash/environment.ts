import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { findChromium } from '../../scripts/find-chromium.mjs'
import { findPostgres } from '../../test/servers/findPostgres.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

const names = [
  '@langchain/langgraph',
  '@langchain/langgraph-checkpoint-postgres',
  '@langchain/langgraph-checkpoint-sqlite',
  '@dbos-inc/dbos-sdk',
  '@ai-sdk/workflow',
  'workflow',
  '@tanstack/ai',
  '@tanstack/ai-client',
]

/** One sentence with the versions of all that the trials ran on. */
export async function versions(): Promise<string> {
  const { dependencies } = JSON.parse(read('bench/peers/package.json')) as { dependencies: Record<string, string> }
  const peers = names.map((name) => `\`${name}\` ${dependencies[name]}`)
  const catalog = read('pnpm-workspace.yaml')
  const pinned = (name: string): string => new RegExp(`^ +["']?${name}["']?: (\\d\\S*)$`, 'm').exec(catalog)?.[1] ?? ''
  const chromium = findChromium()
  const own = [
    `Node ${process.versions.node}`,
    ...(chromium ? [/[\d.]+/.exec(sayVersion(chromium))?.[0] ?? ''].map((each) => `Chromium ${each}`) : []),
    `PostgreSQL ${/[\d.]+/.exec(sayVersion(path.join(await findPostgres(), 'postgres')))?.[0]}`,
    `workerd ${pinned('workerd')}`,
    `Restate ${pinned('@restatedev/restate-server')}`,
    `\`ai\` ${pinned('ai')}`,
  ]
  return `Versions: ${[...own, ...peers].join(', ')}.`
}

const sayVersion = (program: string): string =>
  execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
