import type { UserContent } from '@interleave/core'
import { errorWords } from '../parts/errorWords.ts'
import type { ShellActions } from '../shell/shellActions.ts'
import { isServed } from '../workers/Place.ts'
import type { Sending } from './Playground.ts'
import type { Conversation } from './PlaygroundState.ts'

/** Milliseconds after which a user would wonder where the message is. */
const noticeAfterMs = 1_500

type Telling = Pick<ShellActions, 'notify' | 'dismissNotice'>

/** Sends a message to a run. Notifies the user if it cannot be sent, or if it waits for a server. */
export async function sayTo(
  { run, place }: Pick<Conversation, 'run' | 'place'>,
  content: UserContent,
  { notify, dismissNotice }: Telling,
  sending?: Sending,
): Promise<{ readonly error: unknown } | undefined> {
  const id = `unsent ${run.id}`
  const isThere = isServed(place)
  const wait = (): void => notify({ id, tone: 'bad', words: 'Your message is not sent yet: it waits for the server.' })
  const waiting = isThere ? setTimeout(wait, noticeAfterMs) : undefined
  try {
    await run.say(content, sending)
    dismissNotice(id)
    return undefined
  } catch (error) {
    if (isThere) notify({ id, tone: 'bad', words: `Not sent, and back in the message box: ${errorWords(error)}` })
    return { error }
  } finally {
    clearTimeout(waiting)
  }
}
