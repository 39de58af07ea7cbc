import { testSecret } from '@interleave/test-kit/handlerCalls'
import { afterEach, expect, it, vi } from 'vitest'
import { Signer } from './signer.ts'

afterEach(() => void vi.restoreAllMocks())

it('row 5: looks at all of a signature, wherever it differs', async () => {
  const signer = new Signer(testSecret)
  const right = await signer.sign('text')
  const looks = vi.spyOn(String.prototype, 'charCodeAt')
  const looksAt = async (given: string): Promise<number> => {
    looks.mockClear()
    await signer.isSigned('text', given)
    // Concurrent work does not count.
    return looks.mock.contexts.filter((text) => [right, given].includes(String(text))).length
  }

  const [first, last, none] = [`~${right.slice(1)}`, `${right.slice(0, -1)}~`, '~'.repeat(right.length)]
  const counts = [await looksAt(first), await looksAt(last), await looksAt(none), await looksAt(right)]

  expect(new Set(counts).size).toBe(1)
  expect(counts[0]).toBeGreaterThanOrEqual(2 * right.length)
})
