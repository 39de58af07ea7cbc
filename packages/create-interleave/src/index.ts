#!/usr/bin/env node
import process from 'node:process'

// npm ignores `engines` of packages that it runs. On an older Node, it would also install older providers silently.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 22) {
  console.error(
    `Interleave needs Node 22 or later. This is Node ${process.versions.node}: install a newer one from https://nodejs.org.`,
  )
  process.exitCode = 1
} else {
  void import('./main.ts').then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2))
  })
}
