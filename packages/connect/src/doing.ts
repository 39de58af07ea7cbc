import { partsAhead } from './hostMessage.ts'
import type { Answer } from './pageMessage.ts'

/** Something under way in this page that the worker asked for. */
export interface Doing {
  readonly abortSignal: AbortSignal
  send(answer: Answer): void
  abort(reason: unknown): void
  /** Takes room for one more part of a stream. Resolves when there is some; undefined if there is. */
  takeRoom(): Promise<void> | undefined
  grant(parts: number): void
}

export function createDoing(send: (answer: Answer) => void): Doing {
  const controller = new AbortController()
  let room = partsAhead
  let goOn = (): void => {}
  return {
    abortSignal: controller.signal,
    send,
    abort(reason) {
      controller.abort(reason)
      goOn()
    },
    takeRoom() {
      room--
      if (room >= 0) return undefined
      return new Promise((resolve) => {
        goOn = resolve
      })
    },
    grant(parts) {
      room += parts
      if (room >= 0) goOn()
    },
  }
}
