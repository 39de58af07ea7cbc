import { text } from 'node:stream/consumers'
import { listen } from '@interleave/test-kit/listen'
import type { ScriptedTurn } from '@interleave/testing'

/** The model's calls, turn by turn: names of tools. After the last, it answers. */
export type Script = readonly string[]

/** The world outside of the workers, which never dies: a slow model, and the deeds of tools, by their keys. */
export interface World {
  readonly url: string
  /** The number of times that each key was sent. */
  readonly attempts: ReadonlyMap<string, number>
  /** Items of each tool that were done: those of `book` and `look` as often as they were asked for, others once for each key. */
  readonly deeds: readonly Deed[]
  readonly turns: number
  close(): void
}

export interface Deed {
  readonly name: string
  readonly item: number
  readonly key: string
}

export interface WorldOptions {
  /** Milliseconds until a model answers. */
  readonly modelMs: number
  readonly deedMs: number
  /** Returns the script of a run, from its first message. */
  readonly scriptOf: (said: string) => Script
}

export async function openWorld({ modelMs, deedMs, scriptOf }: WorldOptions): Promise<World> {
  const attempts = new Map<string, number>()
  const deeds: Deed[] = []
  let turns = 0
  const take = (deed: Deed): string => {
    const times = (attempts.get(deed.key) ?? 0) + 1
    attempts.set(deed.key, times)
    if (deed.name === 'book' || times === 1) deeds.push(deed)
    return `${deed.name} ${deed.item}`
  }
  const { url, close } = await listen(async (request, response) => {
    const body = await text(request)
    const isModel = request.url === '/model'
    // The deed is done at once, and the response takes its time: the caller may be gone by then.
    const answer = isModel ? JSON.stringify(turnOf(JSON.parse(body), scriptOf)) : take(JSON.parse(body))
    if (isModel) turns++
    setTimeout(() => response.end(answer), isModel ? modelMs : deedMs)
  })
  return {
    url,
    attempts,
    deeds,
    get turns() {
      return turns
    },
    close,
  }
}

type Prompt = readonly { readonly role: string; readonly content: unknown }[]

function turnOf(prompt: Prompt, scriptOf: WorldOptions['scriptOf']): ScriptedTurn {
  const said = JSON.stringify(prompt.find(({ role }) => role === 'user')?.content)
  const text = /"text":"([^"]*)"/.exec(said)?.[1] ?? ''
  const item = prompt.filter(({ role }) => role === 'assistant').length
  const name = scriptOf(text)[item]
  if (name === undefined) return `${text} is done.`
  return { text: `Step ${item} of ${text}.`, calls: [{ name, input: { item } }] }
}
