import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fetchTool } from '../../../../scripts/fetch-tool.mjs'

export interface Example {
  end(): void
}

/** Listens on other ports than an example names, which other programs may have. */
const otherPorts = `
import net from 'node:net'
const ports = JSON.parse(process.env.OTHER_PORTS)
const { listen } = net.Server.prototype
net.Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, ports[port] ?? port, ...rest)
}`

/** Starts an example of the official library as it is published, and waits until it listens. */
export async function startExample(
  version: string,
  name: string,
  { env = {}, ports = {} }: { readonly env?: Record<string, string>; readonly ports?: Record<number, number> },
): Promise<Example> {
  const home = await fetchTool(`mcp-sdk-${version}`, [`@modelcontextprotocol/sdk@${version}`, 'zod@3.25.76'])
  const program = `node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/${name}.js`
  const server = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(otherPorts)}`, path.join(home, program)],
    { env: { ...process.env, OTHER_PORTS: JSON.stringify(ports), ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: server.stdout })
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (/(?:running on|Server listening)/.test(line) && !line.includes('OAuth')) resolve()
    })
    server.once('exit', (code) => reject(new Error(`${name} of ${version} ended with the status ${code}.`)))
  })
  return { end: () => void server.kill('SIGKILL') }
}
