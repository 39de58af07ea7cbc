import { templates } from '../../../../packages/create-interleave/src/templates.ts'

/** The files of the templates of `create-interleave`, by address. */
const texts = import.meta.glob<string>(
  '../../../../packages/create-interleave/templates/{common,page,remote,vite-react,node-hono}/**/*',
  { query: '?raw', import: 'default', eager: true },
)
const folder = '../../../../packages/create-interleave/templates/'

/** A file of a layer. */
export const templateFile = (layer: string, path: string): string => texts[`${folder}${layer}/${path}`] ?? ''

/** The files of a template by their path in a project, as `create-interleave` writes them. */
export function templateFiles(name: 'vite-react' | 'node-hono'): Map<string, string> {
  const files = new Map<string, string>()
  for (const layer of templates[name].layers)
    for (const [path, text] of Object.entries(texts)) {
      const start = `${folder}${layer}/`
      if (path.startsWith(start)) files.set(path.slice(start.length).replace(/^_gitignore$/, '.gitignore'), text)
    }
  return files
}
