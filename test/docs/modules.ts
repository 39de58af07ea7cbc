import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { blocksOf, pages } from './blocksOf.ts'
import { examplesOf } from './examplesOf.ts'
import { type Module, moduleOf, modulesOf } from './moduleOf.ts'
import { type Kind, namesOf } from './namesOf.ts'

/** Every block of every page. */
export const modules: readonly Module[] = pages.flatMap((page) => modulesOf(blocksOf(page), preludeNames))

/** Every `@example` of the packages, each by itself. */
export const exampleModules = (sources: readonly string[]): readonly Module[] =>
  sources.flatMap(examplesOf).map((block) => {
    const module = moduleOf(block, [], { preludeNames, preludeFiles: ['examples.ts', 'every.ts'] })
    return { ...module, path: module.path.replace(/01(\.\w+)$/, `${block.line}$1`) }
  })

function preludeNames(file: string): ReadonlyMap<string, Kind> {
  const prelude = path.join(import.meta.dirname, 'preludes', file)
  const { top, exported } = namesOf(file, existsSync(prelude) ? readFileSync(prelude, 'utf8') : '')
  return new Map([...top].filter(([name]) => exported.has(name)))
}

/** The module of a block, such as that of `docs/edge.md 1`. */
export function moduleNamed(name: string): Module {
  const module = modules.find((each) => each.name === name)
  if (!module) throw new Error(`No page has the block "${name}".`)
  return module
}

/** Writes all blocks as files below `.generated/<name>`, which is beside the packages that they import and ignored by git. */
export function writeModules(name: string, written: readonly Module[] = modules): string {
  const folder = path.join(import.meta.dirname, '.generated', name)
  rmSync(folder, { recursive: true, force: true })
  for (const module of written) {
    const file = path.join(folder, module.path)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, module.text)
  }
  return folder
}
