import { createRoot } from 'react-dom/client'
import { fedModel } from '../react/fedModel.ts'
import { metronome } from '../react/metronome.ts'
import type { ShowingSubject } from '../react/shown.ts'

declare global {
  /** Shows conversations while they stream; called from outside of the page. */
  var show: (streams: Streams) => Promise<Commits>
}

export interface Streams {
  readonly conversations: number
  /** Of each conversation. */
  readonly deltasPerSecond: number
  readonly seconds: number
}
/** Of all conversations, from the first delta to the last. */
export interface Commits {
  readonly text: number
  readonly neighbors: number
}

/** Makes a page ready to show conversations by a subject. */
export function serveReact(subject: ShowingSubject): void {
  // A person types here while the conversations stream.
  document.body.append(document.createElement('textarea'))
  globalThis.show = async ({ conversations, deltasPerSecond, seconds }) => {
    const commits = { text: 0, neighbors: 0 }
    const models = Array.from({ length: conversations }, fedModel)
    const shown = models.map(({ model }, index) => ({ ...subject.start(model), name: `conversation ${index}` }))
    const place = document.body.appendChild(document.createElement('main'))
    const root = createRoot(place)
    root.render(
      shown.map(({ Text, Neighbors, name }) => (
        <section key={name}>
          <Text onCommit={() => void commits.text++} />
          <Neighbors onCommit={() => void commits.neighbors++} />
        </section>
      )),
    )
    await Promise.all(models.map(({ asked }) => asked))
    await calm()
    const before = { ...commits }
    const deltas = deltasPerSecond * seconds
    await metronome({ perSecond: deltasPerSecond * conversations, times: deltas * conversations }, (index) =>
      models[index % conversations]?.feed(wordOf(Math.floor(index / conversations))),
    )
    await calm()
    const after = { ...commits }
    for (const { finish } of models) finish()
    const wanted = Array.from({ length: deltas }, (_, index) => wordOf(index)).join('')
    for (const text of await Promise.all(shown.map(({ finished }) => finished)))
      if (text !== wanted) throw new Error(`The text is ${text.length} long and not ${wanted.length}.`)
    await calm()
    if (place.querySelector('section p:last-of-type')?.textContent !== wanted.split('\n\n').at(-1))
      throw new Error('Not all of the text is shown.')
    root.unmount()
    place.remove()
    return { text: after.text - before.text, neighbors: after.neighbors - before.neighbors }
  }
}

/** Of paragraphs of 40 words. */
const wordOf = (index: number): string => `word${index}${index % 40 === 39 ? '\n\n' : ' '}`

/** Until everything that is due has been drawn. */
const calm = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100))
