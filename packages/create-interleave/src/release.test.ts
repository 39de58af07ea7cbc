import { expect, it } from 'vitest'
import { releaseOf, withVersions } from './release.ts'

const dependencies = { '@interleave/core': '*', zod: '4.6.7' }

it('takes our packages from npm, once they are there', () => {
  const release = releaseOf('0.1.0')

  expect(withVersions(dependencies, release)).toEqual({ '@interleave/core': '^0.1.0', zod: '4.6.7' })
  expect(release.createMine).toBe('npm create interleave@latest my-agent')
})

it('takes them from the folder of the app until then', () => {
  const release = releaseOf('0.0.0')

  expect(withVersions(dependencies, release)).toEqual({
    '@interleave/core': 'file:interleave/core.tgz',
    zod: '4.6.7',
  })
  expect(release.createMine).toBe('npm run new -- ../my-agent')
})
