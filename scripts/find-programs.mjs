// Finds the programs that tests put around a server: web servers, and a filter of packets.
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { onPath } from './find-chromium.mjs'

/** Returns where a program is, also one that only root has on PATH. */
export function findProgram(name) {
  const file = onPath([name])
  if (file) return file
  return ['/usr/sbin', '/sbin'].map((folder) => path.join(folder, name)).find((each) => existsSync(each))
}

const program = (name, aptPackage = name) => ({
  find: () => findProgram(name),
  debian: [aptPackage],
  ubuntu: [aptPackage],
  advice: `The tests need ${name} where \`CI\` is set, and it was not found. Install ${aptPackage}.`,
})

/** How each is found, and the package of apt that has it. */
export const programs = {
  nginx: program('nginx'),
  haproxy: program('haproxy'),
  caddy: program('caddy'),
  openssl: program('openssl'),
  nft: program('nft', 'nftables'),
}

/** Returns which of them a run of the tests needs. Only continuous integration tries all, others those that are there. */
export const programsOf = ({ CI } = process.env) => (CI && CI !== 'false' ? Object.keys(programs) : [])
