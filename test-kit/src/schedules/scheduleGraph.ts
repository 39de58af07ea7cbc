import { confirm, type Step } from '@interleave/core'
import { END, graph, untilAnswer } from '@interleave/core/graph'
import type { Life } from './life.ts'

/** The nodes that a visit of each comes before. */
const after: Readonly<Record<string, readonly string[]>> = {
  first: ['left', 'right', 'last'],
  left: ['last'],
  right: ['last'],
  last: [],
}

/**
 * A graph whose fork joins before the model works. I3: a node begins when the journal has that those before it are over. I5: one that
 * is over does nothing again.
 */
export function scheduleGraph(life: Life, work: Step): Step {
  const { gates } = life
  const node =
    (name: string, isOver: (place: Place) => boolean = () => true): Step =>
    async (run) => {
      const { witness } = life
      witness.promises(
        `what is before the node ${name}`,
        (event) => event.type === 'noted' && isPlace(event.value) && isOver(event.value),
      )
      if (witness.deeds.some(({ call }) => after[name]?.some((next) => call === `node ${next}`)))
        witness.report('I5', `The node ${name} is visited again.`)
      const value = await run.once('value', async () => {
        await gates.pass(`value of ${name}`)
        return life.fresh()
      })
      witness.does({ call: `node ${name}`, part: 'acts', isOnce: false, value })
      await gates.pass(`node ${name}`)
      if (name === 'right') await run.ask('sure', confirm({ prompt: 'Sure?' }))
      return undefined
    }
  return graph({
    name: 'g',
    nodes: {
      first: node('first'),
      left: node('left', ({ node: at, forked }) => at === 'first' && forked === true),
      right: node('right', ({ node: at, forked }) => at === 'first' && forked === true),
      last: node('last', ({ node: at }) => at === 'last'),
      work: untilAnswer(work),
    },
    start: 'first',
    edges: { first: ['left', 'right'], left: 'last', right: 'last', last: 'work', work: END },
  })
}

interface Place {
  readonly node: string
  readonly forked?: boolean
}

const isPlace = (value: unknown): value is Place => typeof (Object(value) as Partial<Place>).node === 'string'
