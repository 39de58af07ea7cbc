import { expect, it } from 'vitest'
import { type LabelWord, matchLabel } from './label.ts'

const words: readonly LabelWord[] = [
  { label: 'action', word: 'Action' },
  { label: 'input', word: 'Action Input' },
  { label: 'answer', word: 'Final Answer' },
  { label: 'observation', word: 'Observation' },
]
const match = (text: string, last = false, mayBeLoose = false) =>
  matchLabel(text, { words, from: 0, last, mayBeMarked: true, mayBeLoose })

it.each([
  ['Action: x', 'action', 'Action:'],
  ['Action 12: x', 'action', 'Action 12:'],
  ['Action Input: x', 'input', 'Action Input:'],
  ['Action_Input: x', 'input', 'Action_Input:'],
  ['FinalAnswer: x', 'answer', 'FinalAnswer:'],
  ['Action 1 Input 1: x', 'input', 'Action 1 Input 1:'],
  ['ACTION: x', 'action', 'ACTION:'],
  ['Action : x', 'action', 'Action :'],
  ['**Action:** x', 'action', '**Action:**'],
  ['**Action**: x', 'action', '**Action**:'],
  ['### Final Answer: x', 'answer', '### Final Answer:'],
  ['Action：x', 'action', 'Action：'],
])('finds the label in %j', (text, label, written) => {
  expect(match(text)).toEqual({ label, end: written.length, isMarked: !/^[AF]/.test(text), isLoose: false })
})

it.each([
  ['action: x', 'action', 'action:'],
  ['final answer: x', 'answer', 'final answer:'],
  ['- Action: x', 'action', '- Action:'],
  ['• **Action Input:** x', 'input', '• **Action Input:**'],
])('finds the label in %j where labels are loose', (text, label, written) => {
  expect(match(text, false, true)).toMatchObject({ label, end: written.length, isLoose: true })
  expect(match(text)).toBeUndefined()
})

it.each([['Obs'], ['Observ'], ['Observation'], ['Observation 2']])(
  'takes %j at the very end for an observation',
  (text) => {
    expect(match(text, true)).toMatchObject({ label: 'observation', end: text.length })
    expect(match(`${text}!`, true)).toBeUndefined()
  },
)

it.each([
  ['action: x'],
  ['Final answer: x'],
  ['Actions: x'],
  ['Action, then: x'],
  ['Reaction: x'],
  [': x'],
  ['Action Input x'],
])('finds none in %j', (text) => {
  expect(match(text)).toBeUndefined()
})

const marked = { label: 'action', end: 9, isMarked: true, isLoose: false }

it.each([['A'], ['Action'], ['Action '], ['Action 1'], ['Action In'], ['**'], ['**Action:'], ['Final']])(
  'waits for more behind %j, and finds no label where nothing follows',
  (text) => {
    expect(match(text)).toBe('maybe')
    expect(match(text, true)).toEqual(text === '**Action:' ? marked : undefined)
  },
)
