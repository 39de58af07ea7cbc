import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { PageProtocol } from './Engine.ts'

interface Process {
  readonly pid: number
  readonly parent: number
  /** What it has used of the processor so far, in ticks of the system. */
  readonly used: number
}

/** Kills the process that renders a page. */
export async function killContent(page: PageProtocol, browser: number): Promise<void> {
  const content = await contentOf(page, browser)
  process.kill(content, 'SIGKILL')
  while (isAlive(content)) await pause(5)
}

/** Returns the process that renders a page: of all below the browser's, the one that works while the page does. */
export async function contentOf(page: PageProtocol, browser: number): Promise<number> {
  const before = new Map(below(browser).map(({ pid, used }) => [pid, used]))
  await page.evaluate(() => {
    for (const end = performance.now() + 600; performance.now() < end; );
  })
  const grown = below(browser).map(({ pid, used }) => ({ pid, grown: used - (before.get(pid) ?? 0) }))
  const [content] = grown.sort((a, b) => b.grown - a.grown)
  if (!content) throw new Error('The browser has no process.')
  return content.pid
}

function below(root: number): readonly Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)))
  const found = [root]
  for (const parent of found) found.push(...all.filter((each) => each.parent === parent).map(({ pid }) => pid))
  return all.filter(({ pid }) => pid !== root && found.includes(pid))
}

/** Reads a process as the kernel writes it: after the name in parentheses come its state and its numbers. */
function processOf(pid: number): readonly Process[] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, parent, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? [] : [{ pid, parent: Number(parent), used: Number(rest[9]) + Number(rest[10]) }]
  } catch {
    return []
  }
}

const isAlive = (pid: number): boolean => processOf(pid).length > 0
