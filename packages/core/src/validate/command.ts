import type { UserContent } from '../part.ts'
import type { Run } from '../run.ts'
import { byName, content, count, json, maybe, oneOf, type Shape, shapeOf, text } from './shapes.ts'

export interface SayCommand {
  readonly type: 'say'
  readonly content: UserContent
  readonly key: string
  readonly replaces?: number
  readonly now?: boolean
}

/**
 * A command to a run from elsewhere, as plain data. `after` is the number of events that the sender had seen: the
 * question may have been asked again since, or the command may be done already.
 */
export type Command =
  | SayCommand
  | { readonly type: 'reply'; readonly ask: string; readonly value: unknown; readonly after: number }
  | { readonly type: 'stop'; readonly reason: string; readonly after?: number | undefined }
  | { readonly type: 'resume'; readonly after?: number | undefined }
  | { readonly type: 'revoke'; readonly id: string }

export const command: Shape = byName('type', {
  say: shapeOf({ content, key: text, replaces: maybe(count), now: maybe(oneOf(true, false)) }),
  reply: shapeOf({ ask: text, value: json, after: count }),
  stop: shapeOf({ reason: text, after: maybe(count) }),
  resume: shapeOf({ after: maybe(count) }),
  revoke: shapeOf({ id: text }),
})

/** Carries out a command once. If the owner disappears before it responds, the sender repeats it to the next owner. */
export async function applyCommand(run: Run, received: Command): Promise<void> {
  switch (received.type) {
    case 'say': {
      const { content, type: _, ...options } = received
      return run.say(content, options)
    }
    case 'reply':
      return run.reply(received.ask, received.value)
    case 'stop':
      return run.stop(received.reason)
    case 'resume':
      if (run.state.signal) run.resume()
      return
    case 'revoke':
      return run.revoke(received.id)
  }
}
