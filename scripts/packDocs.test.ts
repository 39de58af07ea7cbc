import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packDocs } from './packDocs.mjs'

const root = path.join(import.meta.dirname, '..')
const out = mkdtempSync(path.join(tmpdir(), 'docs-'))
const linksIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\]\(([^)\s#]+)/g)]
    .map(([, target = '']) => target)
    .filter((to) => !/^[a-z]+:/.test(to))

beforeAll(() => packDocs(out))
afterAll(() => rmSync(out, { recursive: true }))

it('packs the guide, with no link to what is not there', () => {
  const pages = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const broken = pages.flatMap((page) =>
    linksIn(path.join(out, page))
      .filter((target) => !existsSync(path.join(out, path.dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )

  expect(pages).toEqual(expect.arrayContaining(['getting-started.md', 'coming-from.md', 'tutorial/1-first-run.md']))
  expect(pages).not.toContain('requirements.md')
  expect(existsSync(path.join(out, 'live/waiter.tsx'))).toBe(true)
  expect(broken).toEqual([])
})

it('has a skill whose pages are all packed, and a package that contains both', () => {
  const core = path.join(root, 'packages/core')
  const skill = readFileSync(path.join(core, 'skills/interleave/SKILL.md'), 'utf8')
  const named = [...skill.matchAll(/`docs\/([\w/.-]+)`/g)].map(([, page = '']) => page)
  const { files, scripts } = JSON.parse(readFileSync(path.join(core, 'package.json'), 'utf8'))

  expect(skill).toMatch(/^---\nname: interleave\ndescription: .{40,}\n---\n/)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((page) => !existsSync(path.join(out, page)))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['docs', 'skills']))
  expect(scripts.prepack).toContain('packDocs')
})
