import { frontAnswers, type HttpFront } from './httpFront.ts'
import { canDropPackets, kernelDrops } from './kernelDrops.ts'
import { blackHole, clear, cuts, losesAnswers, type Passage, slowLink } from './passages.ts'
import type { TcpFront } from './tcpFront.ts'
import type { Trouble, Troubles } from './trouble.ts'

/** A page that has lost its server notices the missing heartbeats of `shopServer`, and says so when it is slow to answer. */
const seenMs = 3_000

/** The troubles of a network between pages and a server. */
export function pageTroubles(tcp: TcpFront, http: HttpFront): Troubles {
  const passing =
    (passageOf: (random: () => number) => Passage): Trouble['begin'] =>
    (random) => {
      tcp.set(passageOf(random))
      return () => tcp.set(clear)
    }
  const losing =
    (unaware: 'client' | 'server' | 'both'): Trouble['begin'] =>
    () => {
      tcp.lose(unaware)
      return () => {}
    }
  const answering = Object.entries(frontAnswers).map(
    ([name, answer]): Trouble => ({
      name: `a front answers: ${name}`,
      seenMs,
      begin() {
        http.answer = answer
        // Whatever comes between ends what was open.
        tcp.lose('none')
        return () => {
          http.answer = undefined
        }
      },
    }),
  )
  return [
    [
      { name: 'packets are dropped', longestMs: 5_000, seenMs, begin: passing(() => blackHole) },
      ...(canDropPackets ? [kernelDrops(tcp.port, seenMs)] : []),
    ],
    { name: 'connections are forgotten', begin: losing('both') },
    { name: 'half-open: pages do not know', begin: losing('client') },
    { name: 'half-open: the server does not know', begin: losing('server') },
    { name: 'cut in a character or a field', begin: passing((random) => cuts({ share: 0.3, random })) },
    {
      name: '56 kbit/s with stalls',
      longestMs: 5_000,
      begin: passing((random) => slowLink({ bytesPerSecond: 7_000, stalls: { share: 0.05, ms: 2_000, random } })),
    },
    {
      name: 'answers of requests are lost',
      begin: passing((random) => losesAnswers({ share: 0.2, random, lateMs: 300 })),
    },
    {
      name: 'answers are held back until they are whole',
      longestMs: 8_000,
      begin() {
        http.buffers = true
        tcp.lose('none')
        return () => {
          http.buffers = false
          tcp.lose('none')
        }
      },
    },
    answering,
  ]
}

/** The troubles of a provider's network: turns of the model fail, and are asked for again. */
export function modelTroubles(tcp: TcpFront, http: HttpFront): Troubles {
  return [
    {
      name: 'the provider is cut off in a character',
      begin(random) {
        tcp.set(cuts({ share: 0.5, random }))
        return () => tcp.set(clear)
      },
    },
    {
      name: 'packets to the provider are dropped',
      begin() {
        tcp.set(blackHole)
        return () => tcp.set(clear)
      },
    },
    providerAnswers(http),
  ]
}

/** A front answers in place of a provider. */
export const providerAnswers = (http: HttpFront): readonly Trouble[] =>
  (['a portal page', 'a closed connection', '429', '500', '503', '504'] as const).map((name) => ({
    name: `the provider answers: ${name}`,
    begin() {
      http.only = /\/model$/
      http.answer = frontAnswers[name]
      return () => {
        http.answer = undefined
      }
    },
  }))

/** The troubles of the network between tools and the shop in which they buy. */
export function shopTroubles(tcp: TcpFront): Troubles {
  const passing =
    (passageOf: (random: () => number) => Passage): Trouble['begin'] =>
    (random) => {
      tcp.set(passageOf(random))
      return () => tcp.set(clear)
    }
  const stalls = (random: () => number) => ({ share: 0.2, ms: 4_000, random })
  return [
    [
      { name: 'packets to the shop are dropped', longestMs: 6_000, begin: passing(() => blackHole) },
      {
        name: 'the shop does not answer any more',
        begin() {
          tcp.lose('client')
          return () => {}
        },
      },
    ],
    [
      {
        name: 'answers of the shop are lost',
        begin: passing((random) => losesAnswers({ share: 0.5, random, lateMs: 300, isAtOnce: true })),
      },
      {
        name: 'a slow link to the shop',
        longestMs: 6_000,
        begin: passing((random) => slowLink({ bytesPerSecond: 1_000, stalls: stalls(random) })),
      },
    ],
  ]
}
