import { createConnection, createServer } from 'node:net'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { listen } from '@interleave/test-kit/listen'
import { expect, it, onTestFinished } from 'vitest'
import { canDropPackets, kernelDrops } from './kernelDrops.ts'

it.runIf(canDropPackets)('drops packets of a port, which arrive when it is over', async () => {
  let got = ''
  const server = createServer((socket) =>
    socket.on('data', (data) => {
      got += data
    }),
  )
  const { port, close } = await listen(server)
  onTestFinished(close)
  const socket = createConnection(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('before')
  await expect.poll(() => got).toBe('before')

  const end = await kernelDrops(port).begin(createRandom(1))
  socket.write(' lost?')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(got).toBe('before')
  expect(socket.destroyed).toBe(false)
  await end()

  await expect.poll(() => got).toBe('before lost?')
})
