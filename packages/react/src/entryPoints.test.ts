import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const source = import.meta.dirname
const textOf = (file: string): string => readFileSync(path.join(source, file), 'utf8')
const isOfClient = (file: string): boolean => textOf(file).startsWith("'use client'")

/** Returns the packages that an entry point loads, and its modules for the client. */
function loads(entry: string) {
  const [files, packages, client] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    if (file !== entry && isOfClient(file)) client.add(file)
    else
      for (const [, target = ''] of textOf(file).matchAll(/^(?:import|export) (?!type )[^']*?from '([^']+)'/gm))
        if (target.startsWith('.')) visit(path.posix.join(path.posix.dirname(file), target))
        else packages.add(target)
  }
  visit(entry)
  return { packages: [...packages], client: [...client] }
}

it('has hooks and components in modules of the client', () => {
  expect(['index.ts', 'history/useHistory.ts'].filter((file) => !isOfClient(file))).toEqual([])
})

it('loads react-query in the history entry point only', () => {
  expect(loads('index.ts').packages).toContain('react')
  expect(loads('index.ts').packages.filter((name) => name.startsWith('@tanstack'))).toEqual([])
})

it('lets a server use all that inspects texts', () => {
  expect(loads('untrusted/index.ts')).toEqual({ packages: [], client: [] })
})

it('lets a server use all of the history but its hook', () => {
  const { packages, client } = loads('history/index.ts')

  expect(packages.filter((name) => !name.startsWith('@interleave/core'))).toEqual([])
  expect(client).toEqual(['history/useHistory.ts'])
})
