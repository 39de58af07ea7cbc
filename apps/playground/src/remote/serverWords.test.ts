import { expect, it } from 'vitest'
import { connectionWords, missingWords } from './serverWords.ts'

const error = { code: 'remote_failed', message: 'Nobody.', retryable: true } as const

it('says when it is tried again, where that helps', () => {
  expect(connectionWords({ type: 'waiting', until: 5, error }, true)).toMatchObject({ tone: 'bad', until: 5 })
  expect(connectionWords({ type: 'waiting', until: 5, error }, false)).not.toHaveProperty('until')
  expect(connectionWords({ type: 'waiting', until: 5 }, true).tone).toBe('open')
})

it.each(['offline', 'down', 'none'] as const)('says what to do where a server is missing: %s', (why) => {
  expect(missingWords({ type: 'missing', why }, 'server')).toMatch(/again|npm start/)
  expect(missingWords({ type: 'missing', why }, 'restate')).toMatch(/again|npm run demo:restate/)
})
