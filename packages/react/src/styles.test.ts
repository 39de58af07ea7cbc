import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('has no colors that bundlers make depend on a color-scheme of the same style sheet', async () => {
  const css = await readFile(new URL('./styles.css', import.meta.url), 'utf8')

  expect(css).not.toMatch(/light-dark\([^)]/)
})
