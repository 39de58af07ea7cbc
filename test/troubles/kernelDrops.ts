import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { findProgram } from '../../scripts/find-programs.mjs'
import type { Trouble } from './trouble.ts'

const nft = findProgram('nft')
const [command = '', ...words] = process.getuid?.() === 0 ? [nft] : ['sudo', '-n', nft ?? '']

/** True if this machine lets the tests filter packets: Linux with nftables, and as root, or as a user who may become root. */
export const canDropPackets: boolean = nft !== undefined && isAllowed()

function isAllowed(): boolean {
  try {
    execFileSync(command, [...words, '-c', 'add table inet interleave_check'], { stdio: 'ignore', timeout: 5_000 })
    return true
  } catch {
    return false
  }
}

/** The kernel drops all packets from and to a port of this machine. */
export const kernelDrops = (port: number, seenMs?: number): Trouble => ({
  name: 'the kernel drops packets',
  longestMs: 5_000,
  ...(seenMs !== undefined && { seenMs }),
  async begin() {
    // Its rules end with the process, however that ends.
    const filter = spawn(command, [...words, '-i'], { stdio: ['pipe', 'pipe', 'ignore'] })
    // It may end by itself, before anybody waits for that.
    const ended = once(filter, 'exit')
    const table = `inet interleave_${port}`
    filter.stdin.write(
      [
        `add table ${table} { flags owner; }`,
        `add chain ${table} dropped { type filter hook input priority 0; }`,
        `add rule ${table} dropped iif lo tcp dport ${port} drop`,
        `add rule ${table} dropped iif lo tcp sport ${port} drop`,
        `list table ${table}\n`,
      ].join('\n'),
    )
    await untilListed(filter, `sport ${port} drop`)
    return async () => {
      filter.stdin.end()
      await ended
    }
  },
})

async function untilListed(filter: ChildProcess, rule: string): Promise<void> {
  let listed = ''
  for await (const data of filter.stdout ?? []) {
    listed += data
    if (listed.includes(rule)) return
  }
  throw new Error(`nft did not take the rules: ${listed}`)
}
