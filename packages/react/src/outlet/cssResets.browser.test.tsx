import { agent, approval, choice, form, type TypedQuestion, tool } from '@interleave/core'
import { Devtools } from '@interleave/devtools'
import { scriptedModel } from '@interleave/testing'
import { cleanup, render } from '@testing-library/react'
import preflight from 'tailwindcss/preflight.css?inline'
import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { z } from 'zod'
import devtools from '../../../devtools/src/styles.css?inline'
import own from '../styles.css?inline'
import { askingAgent } from '../testing/testSupport.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

const sheet = `${own}\n${devtools}`
const tailwind = `@layer theme, base, components, utilities; @layer base { ${preflight} }`
const allZero = '*, ::before, ::after { margin: 0; padding: 0; box-sizing: border-box; }'

afterEach(() => {
  cleanup()
  for (const style of document.head.querySelectorAll('[data-test]')) style.remove()
})

/** Puts style sheets into the page, in this order, in place of those before. */
function wear(...sheets: readonly string[]): void {
  for (const style of document.head.querySelectorAll('[data-test]')) style.remove()
  for (const text of sheets) {
    const style = document.head.appendChild(document.createElement('style'))
    style.toggleAttribute('data-test')
    style.textContent = text
  }
}

const looks = [
  'display',
  'list-style-type',
  'font-size',
  'font-weight',
  'opacity',
  'color',
  'background-color',
  'vertical-align',
  ...['top', 'right', 'bottom', 'left'].flatMap((side) => [
    `margin-${side}`,
    `padding-${side}`,
    `border-${side}-width`,
  ]),
  'border-top-left-radius',
]

/** The looks of everything in the page that is ours, by where it is. */
function looksOf(): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  // The browser draws options itself.
  const all = [...document.querySelectorAll(':is([data-interleave=outlet], [data-interleave=devtools]) :not(option)')]
  for (const [index, element] of all.entries()) {
    const style = getComputedStyle(element)
    const { interleave, part } = (element as HTMLElement).dataset
    const place = element.closest('[data-interleave=outlet]') ? 'outlet' : 'devtools'
    const name = `${index} ${element.localName} ${interleave ?? part ?? ''} in ${place}`
    for (const look of looks) found[`${name} ${look}`] = style.getPropertyValue(look)
    const { width, height } = element.getBoundingClientRect()
    found[`${name} width`] = `${width}`
    found[`${name} height`] = `${height}`
  }
  return found
}

/** A field of the browser for dates is two pixels less high with Tailwind, in WebKit four, and what is around it too. */
const isLayout = /(width|height|dialog in outlet margin-\w+)$/
const isSame = (place: string, before = '', now = ''): boolean =>
  before === now ||
  (isLayout.test(place) &&
    !place.includes('border') &&
    Math.abs(Number.parseFloat(before) - Number.parseFloat(now)) <= 4)

const differences = (before: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(looksOf()).flatMap(([place, now]) =>
    isSame(place, before[place], now) ? [] : [`${place}: ${before[place]} became ${now}`],
  )

const schema = z.object({
  day: z.iso.date().meta({ description: 'Any day' }),
  note: z.string().optional(),
  seats: z.array(z.string()),
  isLate: z.boolean(),
  size: z.enum(['small', 'large']),
  about: z.object({ file: z.string().meta({ contentMediaType: 'text/csv' }) }),
})
const questions: readonly (readonly [string, TypedQuestion<unknown>])[] = [
  ['a choice', choice({ prompt: 'Which color?', options: ['Red', 'Blue'] })],
  ['a form', form({ prompt: 'When?', schema })],
]

async function drawApproval(): Promise<void> {
  const pay = tool({
    inputSchema: z.object({ to: z.string(), items: z.array(z.object({ name: z.string(), price: z.number() })) }),
    approve: approval(),
    execute: () => 'Paid',
  })
  const input = { to: 'A\u202eda', items: [{ name: 'Engine', price: 5 }] }
  const run = agent({ name: 'payer', model: scriptedModel({ calls: [{ name: 'pay', input }] }), tools: { pay } })
  await draw(run.start('Pay'))
}

async function draw(run: ReturnType<ReturnType<typeof askingAgent>['start']>): Promise<void> {
  await run.settled
  render(
    <main style={{ lineHeight: 1.5, fontFamily: 'sans-serif' }}>
      <Devtools run={run} />
      <SignalOutlet run={run} />
    </main>,
  )
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await Promise.all(document.getAnimations().map(({ finished }) => finished))
}

const orders: readonly (readonly [string, readonly string[]])[] = [
  ['before our sheet', [tailwind, sheet]],
  ['after our sheet', [sheet, tailwind]],
  ['after our sheet, and a reset in no layer', [sheet, tailwind, allZero]],
]
const cases = orders.flatMap(([order, sheets]) => [
  ...questions.map(([name, question]) => ({
    name,
    order,
    sheets,
    show: () => draw(askingAgent(question).start('Go')),
  })),
  { name: 'an approval', order, sheets, show: drawApproval },
])

it.each(cases)("shows $name as without Tailwind's preflight, which is $order", async ({ sheets, show }) => {
  wear(sheet)
  await show()
  const change = page.getByRole('button', { name: 'Edit', exact: true })
  if (change.elements().length > 0) await userEvent.click(change)
  const before = looksOf()

  wear(...sheets)

  expect(differences(before)).toEqual([])
})

it.each([
  ["Tailwind's preflight before our sheet", [tailwind, sheet]],
  ["Tailwind's preflight after our sheet", [sheet, tailwind]],
  ['a reset in no layer before our sheet', [allZero, sheet]],
  ['a reset in no layer after our sheet', [sheet, allZero]],
] as const)('has the dialog in the middle of the page with %s', async (_, sheets) => {
  wear(...sheets)
  await draw(askingAgent(choice({ prompt: 'Which color?', options: ['Red', 'Blue'] })).start('Go'))

  const { left, right, top, bottom } = page.getByRole('dialog').element().getBoundingClientRect()

  expect(Math.abs(left - (document.documentElement.clientWidth - right))).toBeLessThanOrEqual(1)
  expect(Math.abs(top - (window.innerHeight - bottom))).toBeLessThanOrEqual(1)
})
