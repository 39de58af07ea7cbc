import process from 'node:process'
import fc from 'fast-check'

// For tests: in CI a property takes the same values each time, so that it is the change that breaks it. By hand they are others each time.
if (process.env.CI) fc.configureGlobal({ seed: 20_260_701 })
