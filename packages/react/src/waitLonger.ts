import { configure } from '@testing-library/react'

// For tests: a limit for what never comes, not for a machine that is busy.
configure({ asyncUtilTimeout: 30_000 })
