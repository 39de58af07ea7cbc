import type { LanguageModelV4 } from '@ai-sdk/provider'
import { useLayoutEffect, useSyncExternalStore } from 'react'
import { Paragraphs } from './Paragraphs.tsx'
import type { ShowingSubject } from './shown.ts'

/** A text that is read from the model by hand, and told once per frame. */
export const floor: ShowingSubject = {
  start(model) {
    const listeners = new Set<() => void>()
    const subscribe = (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
    let [text, shown, status, isAwaited] = ['', '', 'working', false]
    const tell = (): void => {
      isAwaited = false
      shown = text
      for (const listener of listeners) listener()
    }
    const add = (delta: string): void => {
      text += delta
      if (!isAwaited) requestAnimationFrame(tell)
      isAwaited = true
    }
    const finish = (): string => {
      status = 'over'
      tell()
      return text
    }
    return {
      Text({ onCommit }) {
        const now = useSyncExternalStore(subscribe, () => shown)
        useLayoutEffect(onCommit)
        return <Paragraphs text={now} />
      },
      Neighbors({ onCommit }) {
        const now = useSyncExternalStore(subscribe, () => status)
        useLayoutEffect(onCommit)
        return <i>{now}</i>
      },
      finished: readText(model, add).then(finish),
    }
  },
}

async function readText(model: LanguageModelV4, add: (delta: string) => void): Promise<void> {
  const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }] })
  for await (const part of stream) if (part.type === 'text-delta') add(part.delta)
}
