import type { UserContent } from '../part.ts'
import type { Run } from '../run.ts'
import { byName, count, json, type Shape, shapeOf, text } from './shape.ts'
import { content } from './shapes.ts'

/** A command to a run from elsewhere, as plain data. */
export type Command =
  | { readonly type: 'say'; readonly content: UserContent; readonly key: string }
  /**
   * `after`: the number of events that the sender had seen. The question may have been answered and asked again since.
   */
  | { readonly type: 'reply'; readonly ask: string; readonly value: unknown; readonly after: number }
  | { readonly type: 'stop'; readonly reason: string }
  | { readonly type: 'resume' }

export const command: Shape = byName('type', {
  say: shapeOf({ content, key: text }),
  reply: shapeOf({ ask: text, value: json, after: count }),
  stop: shapeOf({ reason: text }),
  resume: shapeOf({}),
})

/** Carries out a command once. A sender without a response, because the owner is gone, sends it to the next owner. */
export async function perform(run: Run, asked: Command): Promise<void> {
  switch (asked.type) {
    case 'say':
      return run.say(asked.content, { key: asked.key })
    case 'reply':
      return run.reply(asked.ask, asked.value)
    case 'stop':
      return run.stop(asked.reason)
    case 'resume':
      if (run.state.rest) run.resume()
  }
}
