import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './freePorts.ts'

const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')]
const findProgram = (name: string): string | undefined =>
  folders.map((folder) => path.join(folder, name)).find(existsSync)

export const hasNginx = findProgram('nginx') !== undefined && findProgram('openssl') !== undefined

export interface Nginx {
  readonly url: string
  close(): Promise<void>
}

/** Starts nginx before a server: it speaks HTTP/2 with browsers, with this number of requests at once. */
export async function startNginx(upstreamPort: number, streams: number): Promise<Nginx> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nginx-'))
  const port = await freePort()
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', 'key.pem', '-out', 'cert.pem']
  execFileSync(findProgram('openssl') ?? '', ['req', '-x509', '-nodes', ...key, '-subj', '/CN=localhost'], {
    cwd: folder,
    stdio: 'ignore',
  })
  await writeFile(path.join(folder, 'nginx.conf'), configOf(folder, { port, upstreamPort, streams }))
  const line = ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log']
  const nginx = spawn(findProgram('nginx') ?? '', line, { stdio: 'ignore' })
  while (!(await isListening(port))) {
    if (nginx.exitCode !== null) throw new Error(`nginx did not start: see ${folder}/error.log.`)
  }
  return {
    url: `https://localhost:${port}`,
    async close() {
      const ended = new Promise((resolve) => nginx.once('exit', resolve))
      nginx.kill()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

interface Config {
  readonly port: number
  readonly upstreamPort: number
  readonly streams: number
}

/** All files of nginx are in the folder. Its own defaults decide on buffers and time limits. */
const configOf = (folder: string, { port, upstreamPort, streams }: Config): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port} ssl http2;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    http2_max_concurrent_streams ${streams};
    location / { proxy_pass http://127.0.0.1:${upstreamPort}; proxy_http_version 1.1; proxy_set_header Connection ''; }
  }
}
`

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => setTimeout(resolve, 20, false))
  })
