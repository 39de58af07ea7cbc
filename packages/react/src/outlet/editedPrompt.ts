import { type Ask, isAgentError, type Json, type Run } from '@interleave/core'
import { useContext, useRef } from 'react'
import { useSay } from '../words/words.tsx'
import { AskContext } from './AskForm.tsx'
import { askIn } from './askIn.ts'

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
 * Returns a function that shows the prompt of an input while the user edits it: next to the button that approves it.
 * While one request is on the way, only the latest input waits.
 */
export function useEditedPrompt(ask: Ask): (input: Json | undefined) => Promise<void> {
  const say = useSay()
  const { run, showPrompt } = useContext(AskContext)
  const latest = useRef<{ readonly input: Json | undefined }>(undefined)
  const isAsking = useRef(false)
  return async (input) => {
    latest.current = { input }
    if (isAsking.current || !run || !showPrompt) return
    isAsking.current = true
    for (let asked = latest.current; ; asked = latest.current) {
      const prompt = asked.input === undefined ? undefined : await editedPrompt(run, ask, asked.input)
      if (asked !== latest.current) continue
      const shown = prompt === undefined ? ask.prompt : askIn(say, { ...ask, prompt }).prompt
      showPrompt(shown === ask.prompt ? undefined : shown)
      break
    }
    isAsking.current = false
  }
}
