import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { blocksOf, pages } from './blocksOf.ts'
import { type Module, modulesOf } from './moduleOf.ts'
import { type Kind, namesOf } from './namesOf.ts'

/** Every block of every page. */
export const modules: readonly Module[] = pages.flatMap((page) => modulesOf(blocksOf(page), preludeNames))

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
export function writeModules(name: string): string {
  const folder = path.join(import.meta.dirname, '.generated', name)
  rmSync(folder, { recursive: true, force: true })
  for (const module of modules) {
    const file = path.join(folder, module.path)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, module.text)
  }
  return folder
}
