// How large an app becomes by each entry of the core, with everything it imports: minified and compressed.

import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const entries = ['@interleave/core', '@interleave/core/journal', 'ai']

for (const entry of entries) {
  const result = await build({
    stdin: { contents: `export * from '${entry}'`, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
  })
  const [file] = result.outputFiles
  if (file) console.log(`${entry.padEnd(26)} ${(gzipSync(file.contents).length / 1000).toFixed(1)} kB gzip`)
}
