import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { listen } from '@interleave/test-kit/listen'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { blackHole, clear, cuts, losesAnswers, slowLink } from './passages.ts'
import { startTcpFront, type TcpFront } from './tcpFront.ts'

let front: TcpFront
let server: Server
/** What the server got, and the connections to it. */
let got: string
const served = new Set<Socket>()
beforeEach(async () => {
  got = ''
  served.clear()
  server = createServer((socket) => {
    served.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => served.delete(socket))
    socket.on('data', (data) => {
      got += data
      socket.write(`echo ${data}`)
    })
  })
  front = await startTcpFront((await listen(server)).port)
})
afterEach(async () => {
  await front.close()
  server.close()
})

/** A client, and what it got. */
async function connect() {
  const socket = createConnection(front.port, '127.0.0.1')
  const client = { socket, got: Buffer.alloc(0), isClosed: false }
  socket.on('error', () => {})
  socket.on('close', () => {
    client.isClosed = true
  })
  socket.on('data', (data) => {
    client.got = Buffer.concat([client.got, data])
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  const text = () => expect.poll(() => client.got.toString())
  const say = async (line: string) => {
    socket.write(line)
    await text().toContain(`echo ${line}`)
  }
  await say('hello')
  return { ...client, client, text, say }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it('passes bytes and ends without a trouble', async () => {
  const { socket, say } = await connect()
  await say('one')
  socket.end()

  await expect.poll(() => served.size).toBe(0)
  await expect.poll(() => front.open).toBe(0)
})

it('drops packets and closes nothing, and delivers them when it is over: a black hole', async () => {
  const { socket, text, client } = await connect()
  front.set(blackHole)
  socket.write('lost?')
  socket.end()
  await pause(100)
  expect(got).toBe('hello')
  expect(served.size).toBe(1)
  expect(client.isClosed).toBe(false)

  front.set(clear)
  await text().toBe('echo helloecho lost?')
  await expect.poll(() => served.size).toBe(0)
})

it.each(['client', 'server', 'both'] as const)('ends what is behind open connections, unaware: %s', async (unaware) => {
  const { socket, client } = await connect()
  front.lose(unaware)
  socket.write('lost')
  await expect.poll(() => served.size).toBe(unaware === 'client' ? 0 : 1)
  await expect.poll(() => client.isClosed).toBe(unaware === 'server')
  await pause(50)

  expect(got).toBe('hello')
  const next = await connect()
  await next.say('again')
})

it('cuts in the middle of a character, or of a field', async () => {
  const [first, second] = [await connect(), await connect()]
  front.set(cuts({ share: 1, random: createRandom(1) }))
  first.socket.write('Zürich')
  second.socket.write('data: 1')

  await expect.poll(() => first.client.isClosed && second.client.isClosed).toBe(true)
  expect(first.client.got.toString()).toBe('echo helloecho Z\uFFFD')
  expect(second.client.got.toString()).toBe('echo helloecho da')
})

it('passes few bytes a second, with stalls', async () => {
  const { socket, text, client } = await connect()
  front.set(slowLink({ bytesPerSecond: 7_000, stalls: { share: 1, ms: 100, random: createRandom(1) } }))
  socket.write('x'.repeat(1_000))
  await expect.poll(() => got.length).toBe(505)
  expect(client.got.length).toBe(10)
  front.set(clear)

  await text().toMatch(/^echo hello(echo x+){2,}$/)
  await expect.poll(() => client.got.toString().match(/x/g)).toHaveLength(1_000)
})

it('loses answers of requests that arrive, at once or late', async () => {
  let lost = 0
  front.set(losesAnswers({ share: 1, random: createRandom(1), lateMs: 50, onLoss: () => lost++ }))
  const opened = await connect()
  opened.socket.write('paid')

  await expect.poll(() => opened.client.isClosed).toBe(true)
  await expect.poll(() => got).toBe('hellopaid')
  expect(opened.client.got.toString()).toBe('echo hello')
  expect(lost).toBe(1)
})
