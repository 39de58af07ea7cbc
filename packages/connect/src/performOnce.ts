import type { Run } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { Feed } from '@interleave/core/internal'
import { type Command, canonicalJson, durable, perform, toJson } from '@interleave/core/internal'

type Reply = Extract<Command, { readonly type: 'reply' }>

/**
 * Carries out a command, once even if it is repeated for lack of a response. A reply is for the question as the sender
 * saw it, and not for the same one asked again.
 */
export function performOnce({ events }: Pick<Feed, 'events'>): (run: Run, command: Command) => Promise<void> {
  const answering = new Map<string, Promise<unknown>>()

  const answer = async (run: Run, command: Reply): Promise<void> => {
    const given = events.find(
      (event) => event.type === 'replied' && event.ask === command.ask && event.seq >= command.after,
    )
    if (given?.type !== 'replied') return perform(run, command)
    if (canonicalJson(given.value) === canonicalJson(toJson(command.value))) return durable(run)
    throw new AgentError('ask_unknown', `The question "${command.ask}" was answered meanwhile.`)
  }
  return (run, command) => {
    if (command.type !== 'reply') return perform(run, command)
    // What was replied before is kept by then, or failed.
    const before = answering.get(command.ask) ?? Promise.resolve()
    const done = before.then(() => answer(run, command))
    answering.set(
      command.ask,
      done.catch(() => {}),
    )
    return done
  }
}
