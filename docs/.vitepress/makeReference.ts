// Writes a page for each entry point into docs/reference, from its doc comments.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Application, type DeclarationReflection, type TypeDocOptions } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'
import { entryPoints, root } from './entryPoints.ts'

const out = path.join(root, 'docs/reference')
const all = entryPoints()

const options: TypeDocOptions & PluginOptions = {
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: all.map(({ source }) => path.join(root, source)),
  tsconfig: path.join(import.meta.dirname, 'reference.tsconfig.json'),
  basePath: path.join(root, 'packages'),
  out,
  router: 'module',
  readme: 'none',
  logLevel: 'Error',
  skipErrorChecking: true,
  hidePageTitle: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  hideGroupHeadings: false,
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideSources: true },
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', '*'],
  validation: { notExported: false, invalidLink: false, notDocumented: false },
}

const app = await Application.bootstrapWithPlugins(options)
const project = await app.convert()
if (!project) throw new Error('TypeDoc could not read the sources. Run `npm run check` to see why.')
for (const module of project.children ?? []) {
  const file = module.sources?.[0]?.fullFileName ?? ''
  const entry = all.find(({ source }) => path.join(root, source) === file)
  if (!entry) throw new Error(`No entry point has the source ${file}.`)
  module.name = entry.page
}
for (const reflection of Object.values(project.reflections)) {
  // "Defined in" would say where in our sources: a reader of the site does not have them.
  delete (reflection as DeclarationReflection).sources
  // A parameter that is taken apart in the code has no name.
  if (reflection.name === '__namedParameters') reflection.name = 'options'
}
rmSync(out, { recursive: true, force: true })
await app.generateOutputs(project)

for (const { name, page } of all) {
  const file = path.join(out, `${page}.md`)
  writeFileSync(file, `---\neditLink: false\n---\n\n# ${name}\n\n${withAnchors(readFileSync(file, 'utf8'))}`)
}
rmSync(path.join(out, 'README.md'))

/** The plugin also numbers headings that it does not write, so some of its links end in a number too many. */
function withAnchors(page: string): string {
  const anchors = new Set([...page.matchAll(/^#+ (\w+)/gm)].map(([, heading = '']) => heading.toLowerCase()))
  return page.replaceAll(/\]\(#(\w+)-1\)/g, (link, name: string) => {
    const count = [...page.matchAll(new RegExp(`^#+ ${name}\\b`, 'gim'))].length
    return count === 1 && anchors.has(name) ? `](#${name})` : link
  })
}
