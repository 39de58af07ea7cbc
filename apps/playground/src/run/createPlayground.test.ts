import { expect, it } from 'vitest'
import { agents } from '../agents/index.ts'
import { memoryStorage } from '../storage/memoryStorage.ts'
import { createPlayground } from './createPlayground.ts'
import { draftOf } from './drafts.ts'
import { knownIn, shownIn, shownMove } from './PlaygroundState.ts'

const [trip, calculator] = agents

it('starts runs side by side, and shows the one it was asked to', async () => {
  const { store, start, show } = createPlayground()
  if (!trip || !calculator) throw new Error('There are fewer than two agents.')

  await start(trip, 'I need a flight to Rome')
  const first = store.getState().shown
  await start(calculator, 'What is 2 + 2?')
  await show(first)

  expect(store.getState().conversations.map(({ title }) => title)).toEqual([
    'What is 2 + 2?',
    'I need a flight to Rome',
  ])
  expect(shownIn(store.getState())?.offer).toBe(trip)
})

it('continues with a conversation when another model is chosen', async () => {
  const { store, start, send, connect } = createPlayground()
  if (!calculator) throw new Error('There is no calculator.')

  await start(calculator, 'What is 2 + 2?')
  const before = shownIn(store.getState())
  await before?.run.settled
  await connect({ type: 'demo' })
  await send('What is 3 + 3?')
  const after = shownIn(store.getState())
  await after?.run.settled

  expect(after?.run).toBe(before?.run)
  expect(after?.log.events.map(({ seq }) => seq)).toEqual(after?.log.events.map((_, index) => index))
  expect(after?.run.state.signal).toMatchObject({ type: 'answer', output: expect.stringContaining('6') })
})

it('answers with the model that was chosen last, also what is said while it is being changed', async () => {
  const { store, start, send, connect } = createPlayground()
  if (!calculator) throw new Error('There is no calculator.')
  await start(calculator, 'What is 2 + 2?')
  await shownIn(store.getState())?.run.settled

  void connect({ type: 'builtIn' })
  await send('What is 3 + 3?')
  const shown = shownIn(store.getState())
  await shown?.run.settled

  // This test has no browser, and so no such model.
  expect(shown?.run.state.signal).toMatchObject({ type: 'failed', error: { code: 'model_failed' } })
})

it('says to a run what is sent while it is being started, and starts no other', async () => {
  const { store, send, chooseOffer } = createPlayground()
  if (!calculator) throw new Error('There is no calculator.')
  chooseOffer(calculator)

  await Promise.all([send('What is 2 + 2?'), send('What is 3 + 3?')])

  expect(store.getState().conversations).toHaveLength(1)
  const shown = shownIn(store.getState())
  await shown?.run.settled
  expect(JSON.stringify(shown?.log.events)).toContain('What is 3 + 3?')
})

it('moves a run to the host that was chosen last, and says there what is sent meanwhile', async () => {
  const { store, start, send, runIn } = createPlayground()
  if (!calculator) throw new Error('There is no calculator.')
  await start(calculator, 'What is 2 + 2?')
  await shownIn(store.getState())?.run.settled
  const id = shownIn(store.getState())?.run.id ?? ''

  const moves = [runIn(id, 'worker'), runIn(id, 'page')]
  const moving = shownMove(store.getState())
  await send('What is 3 + 3?')
  await Promise.all(moves)

  const shown = shownIn(store.getState())
  expect(store.getState().conversations).toEqual([shown])
  expect(shown).toMatchObject({ place: 'page', run: { id } })
  expect([moving, shownMove(store.getState())]).toEqual([expect.objectContaining({ to: 'page' }), undefined])
  await shown?.run.settled
  expect(shown?.run.state.signal).toMatchObject({ type: 'answer', output: expect.stringContaining('6') })
})

it('knows the messages of a run while it moves', async () => {
  const { store, start, runIn } = createPlayground()
  if (!calculator) throw new Error('There is no calculator.')
  await start(calculator, 'What is 2 + 2?')
  await shownIn(store.getState())?.run.settled
  const id = shownIn(store.getState())?.run.id ?? ''
  const seen: (number | undefined)[] = []
  store.subscribe((page) => seen.push(knownIn(page)?.log.events.length))

  await runIn(id, 'worker')

  const count = shownIn(store.getState())?.log.events.length
  expect(seen).toEqual(seen.map(() => count))
})

it('says that a run could not be moved, and leaves it open', async () => {
  const storage = memoryStorage()
  const { store, start, runIn } = createPlayground({ open: async () => storage })
  if (!calculator) throw new Error('There is no calculator.')
  await start(calculator, 'What is 2 + 2?')
  const before = shownIn(store.getState())
  await before?.run.settled
  storage.records.put = () => Promise.reject(new Error('There is no room.'))

  await runIn(before?.run.id ?? '', 'worker')

  expect(store.getState().trouble).toMatchObject({ task: 'move', error: { message: 'There is no room.' } })
  expect([shownIn(store.getState()), shownMove(store.getState())]).toEqual([before, undefined])
})

it('starts new runs with an edited agent, until it is reset', async () => {
  const { store, start, use, reset } = createPlayground()
  if (!calculator) throw new Error('There is no calculator.')
  const edited = calculator.file.replace('calculator:', 'abacus:')

  use(calculator, edited)
  await start(calculator, 'What is 2 + 2?')
  const first = shownIn(store.getState())
  reset(calculator)
  await start(calculator, 'What is 2 + 2?')

  expect(first?.run.state.agent).toBe('abacus')
  expect(first?.file).toBe(edited)
  expect(shownIn(store.getState())?.run.state.agent).toBe('calculator')
})

it('tells what is wrong with the file of an agent', async () => {
  const { store, start, use } = createPlayground()
  if (!calculator) throw new Error('There is no calculator.')

  use(calculator, 'interleave: 1\nagents: {}')
  await start(calculator, 'What is 2 + 2?')

  expect(String(store.getState().trouble?.error)).toContain('The file declares no agent.')
})

it('knows the graph that a run follows', async () => {
  const { store, start } = createPlayground()
  const fares = agents.find(({ id }) => id === 'fares')
  if (!fares) throw new Error('There is no fare watch.')

  await start(fares, 'Watch fares from Paris to Amsterdam')
  const shown = shownIn(store.getState())
  await shown?.run.stop()

  expect(shown?.graph?.nodes).toContain('compare')
})

it('stays where the user looked while a run was being started', async () => {
  const { store, start, show } = createPlayground()
  if (!calculator) throw new Error('There is no calculator.')

  const starting = start(calculator, 'What is 2 + 2?')
  const isStarting = store.getState().isStarting
  await show(undefined)
  await starting

  expect(isStarting).toBe(true)
  expect(store.getState()).toMatchObject({
    shown: undefined,
    isStarting: false,
    conversations: [{ offer: calculator }],
  })
})

it('puts what could not be sent back into the box, in its order, before what was written since', async () => {
  const open = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  const { store, send, draft } = createPlayground({ open })

  const sent = [send('What is 2 + 2?'), send('And 3 + 3?')]
  draft('Half a sen')
  await Promise.all(sent)

  expect(draftOf(store.getState().drafts, undefined)).toBe('What is 2 + 2?\nAnd 3 + 3?\nHalf a sen')
})

it('opens what is kept again after it could not be', async () => {
  let tries = 0
  const open = async () => {
    if (tries++ === 0) throw new TypeError('Failed to fetch dynamically imported module')
    return memoryStorage()
  }
  const { openStorage } = createPlayground({ open })

  await expect(openStorage()).rejects.toThrow('Failed to fetch')
  expect(await openStorage()).toBe(await openStorage())
})
