import { pause } from '@interleave/connect/internal'
import { localHost } from '@interleave/core'
import { assertOption, checkOptions, DEV } from '@interleave/core/internal'
import { maybe, shapeOf, text } from '@interleave/core/shapes'

const channelName = 'interleave mcp oauth'
const mostCharacters = 8_000

export interface Popup {
  opener: unknown
  readonly closed: boolean
  readonly location: { replace(address: string): void }
}

/** The part of `window` that is used here: the package compiles without the DOM. */
export interface AppWindow {
  open(address: string, name: string, features: string): Popup | null
  readonly history: { replaceState(state: null, unused: string, address: string): void }
}

declare const window: AppWindow

/** The answer of the page for consent. */
export interface PopupAnswer {
  readonly state: string
  readonly code?: string
  readonly iss?: string
  readonly error?: string
  readonly description?: string
}

const answer = shapeOf({
  state: text,
  code: maybe(text),
  iss: maybe(text),
  error: maybe(text),
  description: maybe(text),
})

const isAnswer = (param: unknown): param is PopupAnswer =>
  answer(param) === undefined &&
  Object.values(param as object).every((each) => typeof each === 'string' && each.length <= mostCharacters)

/** Receives answers that this page awaits; others belong to other pages. Returns a function that ends it. */
export function receiveAnswers(
  isAwaited: (state: string) => Promise<boolean>,
  onAnswer: (answer: PopupAnswer) => void,
): () => void {
  const channel = new BroadcastChannel(channelName)
  let isOver = false
  channel.onmessage = async ({ data }: MessageEvent) => {
    if (!isAnswer(data) || !(await isAwaited(data.state)) || isOver) return
    channel.postMessage({ received: data.state })
    onAnswer(data)
  }
  return () => {
    isOver = true
    channel.close()
  }
}

export interface FinishOptions {
  /** Milliseconds in which a page of the app must receive the answer; one minute by default. It may be reloading. */
  timeoutMs?: number
}

/**
 * Sends the answer to the page that opened this one, and closes this one. Call it in the page of `redirectUrl`. If it
 * resolves with `'unanswered'`, no page of the app awaits the answer any more: tell the user to try again there.
 */
export async function finishPopup(options: FinishOptions = {}): Promise<'received' | 'unanswered'> {
  checkOptions('finishPopup()', options, ['timeoutMs'])
  assertOption(typeof location === 'object', DEV && 'finishPopup() needs a page: call it in the page of `redirectUrl`.')
  const { timeoutMs = 60_000 } = options
  const params = new URLSearchParams(location.search)
  const param = (name: string, as = name) => (params.has(name) ? { [as]: params.get(name) } : {})
  const sent = {
    ...param('state'),
    ...param('code'),
    ...param('iss'),
    ...param('error'),
    ...param('error_description', 'description'),
  }
  // A code must not stay in the history.
  window.history.replaceState(null, '', location.pathname)
  if (!isAnswer(sent)) return 'unanswered'
  const isReceived = await send(sent, timeoutMs)
  if (isReceived) close()
  return isReceived ? 'received' : 'unanswered'
}

const repeatMs = 250

async function send(sent: PopupAnswer, timeoutMs: number): Promise<boolean> {
  const channel = new BroadcastChannel(channelName)
  let isReceived = false
  const over = new AbortController()
  channel.onmessage = ({ data }: MessageEvent) => {
    if (Object(data).received !== sent.state) return
    isReceived = true
    over.abort()
  }
  try {
    for (let waited = 0; !isReceived && waited < timeoutMs; waited += repeatMs) {
      channel.postMessage(sent)
      await pause(localHost, repeatMs, over.signal)
    }
  } finally {
    channel.close()
  }
  return isReceived
}
