/** The templates, and the folders of `templates/` that each is made of: files of a later one replace those of an earlier one. */
export const templates = {
  'vite-react': { hint: 'Vite and React: the agent runs in the page', layers: ['common', 'page', 'vite-react'] },
  'next-app-router': { hint: 'Next.js with the App Router', layers: ['common', 'remote', 'next-app-router'] },
  'cloudflare-worker': {
    hint: 'Cloudflare Worker with Durable Objects, and a page',
    layers: ['common', 'page', 'remote', 'cloudflare-worker'],
  },
  'node-hono': { hint: 'Node with Hono, and a page', layers: ['common', 'page', 'remote', 'node-hono'] },
} as const

export type Template = keyof typeof templates
export const templateNames = Object.keys(templates) as Template[]
export const isTemplate = (name: string): name is Template => Object.hasOwn(templates, name)

/** The choices of a user. */
export interface Choices {
  readonly directory?: string | undefined
  readonly template?: Template | undefined
  readonly overwrite?: boolean | undefined
}
