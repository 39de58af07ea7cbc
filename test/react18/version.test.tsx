import { version } from 'react'
import { version as domVersion } from 'react-dom'
import { expect, it } from 'vitest'

it('is React 18 that these tests run with', () => {
  expect([version, domVersion]).toEqual(['18.3.1', '18.3.1'])
})
