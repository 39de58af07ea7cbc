// How the README and the docs say to install: from a clone until the packages are on npm, then from there. The version of
// create-interleave decides. After it has changed, this rewrites them: npm run x -- node scripts/installLines.mjs

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isPublished, releaseOf, tarballOf } from '../packages/create-interleave/src/release.ts'
import { root } from './fetch-tool.mjs'

/** All texts that say how to install, relative to the root. */
export const pages = () => [
  'README.md',
  'apps/playground/README.md',
  ...markdownIn('docs'),
  ...markdownIn('docs/tutorial'),
  ...readdirSync(path.join(root, 'packages')).flatMap((name) => markdownIn(`packages/${name}`)),
]

const markdownIn = (folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)

export const currentVersion = () =>
  JSON.parse(readFileSync(path.join(root, 'packages/create-interleave/package.json'), 'utf8')).version

/**
 * Returns a page with the commands of a version: the regions `<!-- new app -->` and `<!-- packages -->`, and our packages
 * in each `npm install`.
 *
 * @param {string} text
 * @param {string} version
 */
export const withInstallLines = (text, version) =>
  Object.entries(regions(version))
    .reduce(
      (page, [name, content]) =>
        page.replaceAll(
          new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`, 'g'),
          (_, begin, end) => `${begin}${content}${end}`,
        ),
      text,
    )
    .replaceAll(/npm (?:install|i)(?: [^\s`#]+)+/g, (command) => withPackages(command, version))

function withPackages(command, version) {
  const names = /@interleave\/([\w-]+)(?=[ @]|$)(?:@\S+)?/g
  const tarballs = /\.\/interleave\/([\w-]+)\.tgz/g
  return isPublished(version)
    ? command.replaceAll(tarballs, '@interleave/$1')
    : command.replaceAll(names, (_, name) => `./${tarballOf(name)}`)
}

function regions(version) {
  const { createMine } = releaseOf(version)
  return isPublished(version)
    ? {
        'new app': `
\`\`\`sh
${createMine}   # Node 22.18 or later. No API key needed.
cd my-agent && npm install && npm run dev
\`\`\`

`,
        packages: '',
      }
    : {
        'new app': `
\`\`\`sh
${createMine}   # in a clone. Node 22.18 or later. No API key needed.
cd ../my-agent && npm install && npm run dev
\`\`\`

The packages of the clone are files of the app, in its folder \`interleave\`. Once 0.1.0 is on npm, the first line is
\`npm create interleave@latest my-agent\`.

`,
        packages: `
The packages are not on npm yet. In a clone of the repository, run \`npm run pack -- ../my-app\`: it writes them into the
folder \`interleave\` of an app, which needs a \`package.json\`. Then, in the app:

`,
      }
}

const [, script] = process.argv
if (script === fileURLToPath(import.meta.url))
  for (const page of pages()) {
    const file = path.join(root, page)
    const text = readFileSync(file, 'utf8')
    const now = withInstallLines(text, currentVersion())
    if (now !== text) writeFileSync(file, now)
  }
