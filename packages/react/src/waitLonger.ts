import { configure } from '@testing-library/react'

// A test that waits for an event fails only if it never comes, not on a busy machine.
configure({ asyncUtilTimeout: 30_000 })
