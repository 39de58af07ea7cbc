import { configure } from '@testing-library/react'
import { afterAll, vi } from 'vitest'

// A test that waits for an event fails only if it never comes, not on a busy machine.
configure({ asyncUtilTimeout: 30_000 })

// What a test has begun to import would be loaded in the middle of the next file, or after the last one.
afterAll(() => vi.dynamicImportSettled())
