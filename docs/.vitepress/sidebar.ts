import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { entryPoints } from './entryPoints.ts'

const docs = path.join(import.meta.dirname, '..')

/** The chapters of the guide, in the order in which a reader needs them. Every page of docs/ is in one; a test holds them to that. */
const chapters: Readonly<Record<string, readonly string[]>> = {
  Start: ['getting-started', 'examples', 'coming-from', 'which-host', 'errors', 'glossary'],
  'Build an agent': [
    'tools',
    'questions',
    'approvals',
    'mcp',
    'webmcp',
    'models',
    'stopping',
    'guards',
    'memory',
    'text-mode',
    'files',
    'steps',
    'declared-agents',
  ],
  'Show it': ['react', 'vue-and-svelte', 'events', 'devtools'],
  'Combine agents': ['many-agents', 'graphs'],
  'Keep and move runs': ['journals', 'stored-logs', 'tabs', 'workers'],
  'Serve it': ['serving', 'frameworks', 'edge', 'scaling-out', 'ai-sdk', 'ag-ui', 'keys'],
  'Trust it': ['safety', 'testing', 'opentelemetry', 'benchmarks', 'proof'],
  'Work on it': ['architecture', 'write-a-host', 'requirements'],
}

/** The pages of one folder, by name. */
const pagesIn = (folder: string): DefaultTheme.SidebarItem[] =>
  readdirSync(path.join(docs, folder))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => item(`${folder}/${name.replace(/\.md$/, '')}`))

/** The link to a page, with the page's own heading. */
function item(page: string): DefaultTheme.SidebarItem {
  const [, text] = /^# (.+)$/m.exec(readFileSync(path.join(docs, `${page}.md`), 'utf8')) ?? []
  if (!text) throw new Error(`docs/${page}.md has no heading. Begin it with "# …".`)
  return { text: text.replaceAll('`', ''), link: `/${page}` }
}

/** Returns the sidebar of the guide and that of the reference. */
export function sidebar(): DefaultTheme.SidebarMulti {
  const guide = Object.entries(chapters).map(([text, pages]) => ({ text, items: pages.map(item) }))
  return {
    '/': [
      ...guide.slice(0, 1),
      { text: 'Tutorial', collapsed: true, items: pagesIn('tutorial') },
      ...guide.slice(1),
      { text: 'Decisions', collapsed: true, items: pagesIn('decisions') },
    ],
    '/reference/': entryPoints().map(({ name, page }) => ({ text: name, link: `/reference/${page}` })),
  }
}
