import { memoryJournal } from '@interleave/core/journal'
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ReActProvider, useStartDefaults } from './ReActProvider.tsx'

afterEach(cleanup)

it('inherits the options that an inner provider does not set', () => {
  const [outer, inner] = [memoryJournal(), memoryJournal()]
  const [observer, other] = [() => {}, () => {}]
  const { result } = renderHook(() => useStartDefaults(), {
    wrapper: ({ children }) => (
      <ReActProvider journal={outer} observers={[observer]}>
        <ReActProvider observers={[other]}>
          <ReActProvider journal={inner}>{children}</ReActProvider>
        </ReActProvider>
      </ReActProvider>
    ),
  })

  expect(result.current).toEqual({ journal: inner, observers: [other] })
  expect(result.current.journal).toBe(inner)
})
