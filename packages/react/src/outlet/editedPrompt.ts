import { type Ask, isAgentError, type Json, type Run } from '@interleave/core'
import { sameJson } from '@interleave/core/internal'
import { useContext, useEffect, useState } from 'react'
import { useLatest } from '../effects.ts'
import { AskContext } from './AskForm.tsx'

/** Shows the prompt of an approval while its input is edited. */
interface EditedPrompt {
  /** Takes the edited input; undefined if nothing differs. */
  readonly edit: (input: Json | undefined) => void
  /** Asks at once for the prompt of the latest input, such as when the user leaves a field. */
  readonly flush: () => void
}

/** Milliseconds without a change after which a user has typed a value. */
const pauseMs = 300

/** Returns functions that show the prompt of an input while the user edits it: next to the button that approves it. */
export function useEditedPrompt(ask: Ask): EditedPrompt {
  const { run, showPrompt } = useContext(AskContext)
  const [request] = useState(() => new PromptRequest())
  useEffect(() => () => request.cancel(), [request])
  const flush = (): void => {
    if (run && showPrompt) void request.send((input) => editedPrompt(run, ask, input), showPrompt)
  }
  const latest = useLatest(flush)
  return { flush, edit: (input) => request.change(input, () => latest.current()) }
}

/** Asks for the prompt of the latest input: one request at a time, and none for an input whose prompt is known. */
class PromptRequest {
  #latest: Json | undefined
  #known: Json | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isAsking = false

  change(input: Json | undefined, whenPaused: () => void): void {
    if (isSame(input, this.#latest)) return
    this.#latest = input
    this.cancel()
    this.#timer = setTimeout(whenPaused, pauseMs)
  }

  cancel(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async send(
    promptOf: (input: Json) => Promise<string | undefined>,
    show: (prompt: string | undefined) => void,
  ): Promise<void> {
    this.cancel()
    if (this.#isAsking) return
    this.#isAsking = true
    // An input that changes meanwhile has a timer of its own.
    while (this.#timer === undefined && !isSame(this.#latest, this.#known)) {
      const input = this.#latest
      const prompt = input === undefined ? undefined : await promptOf(input)
      this.#known = input
      if (isSame(input, this.#latest)) show(prompt)
    }
    this.#isAsking = false
  }
}

const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && sameJson(a, b))

/** Returns the prompt that an approval has with another input, as the tool's policy words it. Undefined if it says none. */
async function editedPrompt(run: Run, { id }: Ask, preview: Json): Promise<string | undefined> {
  try {
    await run.reply(id, { preview })
  } catch (error) {
    if (isAgentError(error) && error.code === 'approval_changed') return error.message
  }
  return undefined
}

/**
 * Returns a reply with the prompt that the user has read, if it approves an edited input: where that input has another
 * prompt, it is rejected.
 */
export function withPrompt(ask: Ask, reply: unknown, read: string | undefined): unknown {
  const { approved, input, prompt } = Object(reply) as Readonly<Partial<Record<string, unknown>>>
  const isWhole = ask.kind !== 'approval' || approved !== true || prompt !== undefined
  if (isWhole || (input === undefined && read === undefined)) return reply
  return { ...Object(reply), prompt: read ?? ask.prompt }
}
