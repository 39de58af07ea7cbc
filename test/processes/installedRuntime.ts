import path from 'node:path'
import { fetchTool } from '../../scripts/fetch-tool.mjs'

/** The version of each runtime that is installed if a test asks for it. */
export const runtimes = { bun: '1.4.5', deno: '2.9.6' } as const
export type Runtime = keyof typeof runtimes

const { platform, arch } = process
const packages: Readonly<Record<Runtime, string>> = {
  bun: `@oven/bun-${platform}-${arch}`,
  deno: `@deno/${platform}-${arch}-glibc`,
}
const files: Readonly<Record<Runtime, string>> = { bun: 'bin/bun', deno: 'deno' }

/** Returns the path of its program. */
export async function installedRuntime(name: Runtime): Promise<string> {
  const version = runtimes[name]
  const home = await fetchTool(`${name}-${version}`, [`${packages[name]}@${version}`])
  return path.join(home, 'node_modules', packages[name], files[name])
}
