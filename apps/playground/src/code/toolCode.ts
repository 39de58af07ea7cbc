import type { AgentConfig, Named } from '@interleave/config'
import { modelOffer } from '../shop/shopOffer.ts'
import { type Code, callCode, listCode, objectCode, valueCode } from './printCode.ts'
import { sourceOf } from './sources.ts'
import { byFile, NoCode, type Writing } from './Writing.ts'

/** The option `tools` of an agent. */
export function toolsCode({ tools = [] }: AgentConfig, writing: Writing): Code | undefined {
  const entries: readonly (readonly [string, Named])[] = Array.isArray(tools)
    ? tools.map((name) => [name, name])
    : Object.entries(tools as Readonly<Record<string, Named>>)
  if (entries.length === 0) return undefined
  const own = entries.filter(([name, named]) => !(name === named && isOfShop(name)))
  const shops = entries.flatMap((entry) => (own.includes(entry) ? [] : [entry[0]]))
  const code = objectCode(
    Object.fromEntries(own.map(([name, named]) => [name, toolCode(named, writing)])),
    // Each has its own line, which can be lit.
    own.length > 1,
  )
  if (shops.length === 0) return code
  const shop = shopCode(shops, writing)
  return own.length === 0 ? shop : listCode([shop, code])
}

function toolCode(named: Named, writing: Writing): Code {
  const { imports } = writing
  const [name = '', options] = typeof named === 'string' ? [named] : (Object.entries(named)[0] ?? [])
  if (name === 'askUser')
    return callCode(
      imports.add('@interleave/core/tools', 'askUser'),
      ...(options === undefined ? [] : [valueCode(options)]),
    )
  const source = options === undefined ? sourceOf(`tools/${name}.ts`) : undefined
  if (source === undefined) throw new NoCode(`Its file uses the tool ${name}. ${byFile}`)
  // Such as `export const topRows = (desk: Desk) =>`.
  const [, exported = name, needed] = /export const (\w+) = (?:\((\w+))?/.exec(source) ?? []
  imports.add(`./tools/${name}.ts`, exported)
  if (needed === undefined) return exported
  return `${exported}(${before(needed, writing) ?? ''})`
}

/** Declares the object that a tool is created with. */
function before(name: string, { imports, before, host }: Writing): string | undefined {
  if (name === 'desk' && host === 'server')
    throw new NoCode('Its table is in memory, so all users of a server would share it. Choose another host.')
  if (name === 'desk') before.set(name, `const desk = ${imports.add('./tables/desk.ts', 'createDesk')}()`)
  else if (name === 'library')
    before.set(name, `const library = async () => (await import('./docs/ownLibrary.ts')).ownLibrary()`)
  else if (name === 'bank' && host !== 'server')
    before.set(name, `const bank = ${imports.add('./bank/browserBank.ts', 'browserBank')}()`)
  else if (name === 'page' && host === 'page') before.set(name, pageFunctions)
  else return undefined
  return name
}

const pageFunctions = `const page = {
  async showSection({ query }: { readonly query: string }) {
    const [found] = (await library()).search(query, 1)
    if (!found) throw new Error('No page fits.')
    alert(\`\${found.title}\\n\\n\${found.body}\`)
    return { title: found.title, link: found.id }
  },
}`

const isOfShop = (name: string): boolean => modelOffer.some((offer) => offer.name === name)

function shopCode(names: readonly string[], { imports, before, origin }: Writing): Code {
  imports.add('@interleave/mcp', 'mcpClient')
  const url = new URL('/mcp', origin).href
  before.set(
    'shop',
    `// Any MCP server. This one is the shop of the playground.\nconst shop = mcpClient({ url: ${JSON.stringify(url).replaceAll('"', "'")} })`,
  )
  const only = names.length < modelOffer.length ? [valueCode({ only: names })] : []
  return callCode(imports.add('@interleave/mcp', 'mcpTools'), 'shop', ...only)
}
