// What docs/tools.md says of requests that a browser sends again by itself, which no library can prevent.

import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { listen } from '@interleave/test-kit/listen'
import { expect, onTestFinished, test } from 'vitest'
import { clear, losesAnswers } from '../troubles/passages.ts'
import { startTcpFront } from '../troubles/tcpFront.ts'
import { inEachEngine } from './stories/tell.ts'

inEachEngine((engine, name) => {
  test('a POST whose kept connection breaks is sent again by some browsers, with the same key', async () => {
    const keys: string[] = []
    const { port, close } = await listen((request, response) => {
      if (request.method === 'POST') keys.push(String(request.headers['idempotency-key']))
      response.setHeader('content-type', 'text/html')
      request.resume().on('end', () => response.end('<!doctype html>'))
    })
    const front = await startTcpFront(port)
    onTestFinished(close)
    onTestFinished(front.close)
    const page = await engine().open(`http://127.0.0.1:${front.port}/`)
    const post = (key: string): Promise<number | string> =>
      page.evaluate(
        (given) =>
          fetch('/pay', { method: 'POST', headers: { 'idempotency-key': given } }).then(({ status }) => status, String),
        key,
      )
    const isSentAgain = async (attempt: number): Promise<boolean> => {
      front.set(clear)
      await post(`answered ${attempt}`)
      front.set(losesAnswers({ share: 1, random: createRandom(1), lateMs: 0 }))
      await post(`lost ${attempt}`)
      return keys.filter((key) => key === `lost ${attempt}`).length > 1
    }

    // A browser that is slow may not have kept the connection.
    let sentAgain = false
    for (let attempt = 1; attempt <= 10 && !sentAgain; attempt++) sentAgain = await isSentAgain(attempt)

    expect(sentAgain).toBe(name !== 'webkit')
    await page.close()
  })
})
