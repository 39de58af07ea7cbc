import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Block } from './blocksOf.ts'
import { type Kind, type Names, namesOf } from './namesOf.ts'
import { publicNames } from './publicNames.ts'

/** A block as a module of its own. */
export interface Module {
  readonly block: Block
  readonly names: Names
  /** The file's name below the folder of all blocks. */
  readonly path: string
  /**
   * One line of imports for names that the block does not declare, the block, and an export of all its declarations.
   */
  readonly text: string
  /** Its name among the programs: the page, and which of its blocks it is. */
  readonly name: string
  /** True if it imports all that it needs. */
  readonly isProgram: boolean
}

const preludes = path.join(import.meta.dirname, 'preludes')
const known = publicNames()

/**
 * The blocks of one page as modules. A name that a block uses and does not declare is, in this order, that of a block before it on the page,
 * of the prelude of the page, of the prelude of every page, or a public name of the packages.
 */
export function modulesOf(blocks: readonly Block[], preludeNames: PreludeNames): readonly Module[] {
  const modules: Module[] = []
  for (const block of blocks) modules.push(moduleOf(block, modules, { preludeNames }))
  return modules
}

/** The names of a prelude, by its file. */
export type PreludeNames = (file: string) => ReadonlyMap<string, Kind>

interface Around {
  readonly preludeNames: PreludeNames
  /** The preludes, the first before the others; by default that of the page, and that of every page. */
  readonly preludeFiles?: readonly string[]
}

export function moduleOf(block: Block, before: readonly Module[], { preludeNames, preludeFiles }: Around): Module {
  const slug = slugOf(block.page)
  const extension = block.language === 'typescript' ? 'ts' : block.language === 'javascript' ? 'js' : block.language
  const name = `${slug}/${String(before.length + 1).padStart(2, '0')}.${extension}`
  const names = namesOf(name, block.code)
  const added = new Map<string, string[]>()
  const add = (from: string, what: string): void => void added.set(from, [...(added.get(from) ?? []), what])
  for (const [free, use] of names.free) {
    const earlier = before.findLast(({ names: { top } }) => top.has(free))
    const prelude = (preludeFiles ?? [`${slug}.ts`, 'every.ts']).find((file) => preludeNames(file).has(free))
    const kind = earlier?.names.top.get(free) ?? (prelude && preludeNames(prelude).get(free)) ?? known.get(free)?.kind
    const from = earlier ? `../${earlier.path}` : prelude ? `../../../preludes/${prelude}` : known.get(free)?.from
    if (from) add(from, kind === 'type' || use === 'type' ? `type ${free}` : free)
  }
  const imports = [...added].map(([from, what]) => `import { ${what.join(', ')} } from '${from}';`).join(' ')
  const exports = [...names.top]
    .filter(([top]) => !names.exported.has(top))
    .map(([top, kind]) => (kind === 'type' ? `type ${top}` : top))
  return {
    block,
    names,
    name: `${block.page} ${before.length + 1}`,
    path: name,
    text: `${imports}\n${resolveFiles(block.code, before)}\nexport { ${exports.join(', ')} }\n`,
    isProgram: added.size === 0 && names.imports.length > 0 && names.problems.length === 0,
  }
}

/** Makes `./guide.ts` the block before that is this file, or a file of the preludes. */
function resolveFiles(code: string, before: readonly Module[]): string {
  return code.replaceAll(/'\.\/([\w.-]+)'/g, (found, file: string) => {
    const earlier = before.findLast(({ block }) => block.file === file)
    if (earlier) return `'../${earlier.path}'`
    return existsSync(path.join(preludes, 'files', file)) ? `'../../../preludes/files/${file}'` : found
  })
}

const slugOf = (page: string): string => page.replace(/\.md$/, '').replaceAll(/\W+/g, '-')
