import { agent, approval, choice, confirm, link, type Run, type TypedQuestion, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { cleanup, render } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, expect, it } from 'vitest'
import { cdp, page, server, userEvent } from 'vitest/browser'
import { z } from 'zod'
import guide from '../../../../docs/react.md?raw'
import '../styles.css'
import { askingAgent } from '../testing/testSupport.tsx'
import { Transcript } from '../transcript/Transcript.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

const isChromium = server.browser === 'chromium'

afterEach(async () => {
  cleanup()
  for (const style of document.head.querySelectorAll('[data-test]')) style.remove()
  document.documentElement.className = ''
  if (isChromium) await emulate({ 'forced-colors': 'none', 'prefers-color-scheme': 'light' })
})

/** Sets media features, as a system does. */
async function emulate(features: Readonly<Record<string, string>>): Promise<void> {
  const session = cdp() as unknown as { send(method: string, parameters: object): Promise<unknown> }
  await session.send('Emulation.setEmulatedMedia', {
    features: Object.entries(features).map(([name, value]) => ({ name, value })),
  })
}

function wear(css: string): void {
  const style = document.head.appendChild(document.createElement('style'))
  style.toggleAttribute('data-test')
  style.textContent = css
}

const pay = tool({ inputSchema: z.object({ to: z.string() }), approve: approval(), execute: () => 'Paid' })
const paying = (): Run => {
  const model = scriptedModel({ calls: [{ name: 'pay', input: { to: 'Ada' } }] }, 'Done.')
  return agent({ name: 'payer', model, tools: { pay } }).start('Pay')
}
const asking = (question: TypedQuestion<unknown>) => (): Run => askingAgent(question).start('Go')
const address = link({ prompt: 'Sign in', url: 'https://calendar.example.com/' })
const sure = confirm({ prompt: 'Delete it?', yes: 'Delete' })
const scenes: readonly (readonly [string, () => Run, string])[] = [
  ['a choice', asking(choice({ prompt: 'Which?', options: [{ value: 'A', label: 'A', badge: 'New' }] })), 'send'],
  ['a yes or no', asking(sure), 'yes'],
  ['an approval', paying, 'approve'],
  ['an address', asking(address), 'open'],
]

async function show(start: () => Run): Promise<Run> {
  const run = start()
  await run.settled
  render(
    <main>
      <Transcript run={run} />
      <SignalOutlet run={run} />
    </main>,
  )
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await Promise.all(document.getAnimations().map(({ finished }) => finished))
  return run
}
const part = (name: string): Element => document.querySelector(`[data-interleave="${name}"]`) as Element

/** Returns a computed color as red, green and blue. */
function pixel(color: string): readonly number[] {
  const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
}
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = pixel(color).map((value) => {
    const part = value / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return red * 0.2126 + green * 0.7152 + blue * 0.0722
}
/** Returns the contrast of an element's text with its background, or with that of a box around it. */
function contrastOf(element: Element, box = element): number {
  const { color } = getComputedStyle(element)
  const { backgroundColor } = getComputedStyle(box)
  const [dark = 0, light = 0] = [luminance(color), luminance(backgroundColor)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}
/** Contrasts that are too low: as axe finds them, in everything that is in the page. */
async function tooLow(): Promise<readonly string[]> {
  const { violations } = await axe.run(document.body, { runOnly: ['color-contrast'] })
  return violations.flatMap(({ nodes }) => nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`))
}

it.for(scenes.flatMap(([name, ...scene]) => ['light', 'dark'].map((scheme) => [name, scheme, ...scene] as const)))(
  'shows the label of the primary button with forced colors: %s, %s',
  async ([, scheme, start, button], { skip }) => {
    skip(!isChromium, 'Only the protocol of Chromium forces colors.')
    await emulate({ 'forced-colors': 'active', 'prefers-color-scheme': scheme })
    // A page may have set them to a color of the system, which is not forced.
    wear('[data-interleave="outlet"] { --interleave-on-accent: Canvas; --interleave-accent: LinkText }')

    await show(start)

    expect(contrastOf(part(button))).toBeGreaterThan(4.5)
    expect(contrastOf(part('later'), part('dialog'))).toBeGreaterThan(4.5)
  },
)

const dark = 'oklch(0.145 0 0)'
const tokens = `.dark { --background: ${dark}; --foreground: oklch(0.985 0 0); --popover: oklch(0.205 0 0);
  --popover-foreground: oklch(0.985 0 0); --primary: oklch(0.922 0 0); --primary-foreground: oklch(0.205 0 0);
  --muted-foreground: oklch(0.708 0 0); --input: oklch(1 0 0 / 15%); --destructive: oklch(0.704 0.191 22.216) }
body { background: var(--background); color: var(--foreground) }`

it.each(scenes)('follows a page that is dark by a class alone: %s', async (_, start, button) => {
  document.documentElement.className = 'dark'
  wear(tokens)

  await show(start)

  expect(getComputedStyle(part('transcript')).color).toBe(getComputedStyle(document.body).color)
  expect(luminance(getComputedStyle(part('dialog')).backgroundColor)).toBeLessThan(0.05)
  expect(contrastOf(part(button))).toBeGreaterThan(4.5)
  expect(await tooLow()).toEqual([])
})

it('takes the tokens of shadcn as the guide maps them', async () => {
  const mapping = guide.match(/```css\n(:root [^`]*--interleave[^`]*|[^`]*var\(--popover\)[^`]*)```/)?.[1] ?? ''
  document.documentElement.className = 'dark'
  wear(`${tokens}\n${mapping}`)

  await show(paying)

  expect(mapping.match(/--interleave-/g)).toHaveLength(8)
  expect(pixel(getComputedStyle(part('dialog')).backgroundColor)).toEqual(pixel('oklch(0.205 0 0)'))
  expect(pixel(getComputedStyle(part('approve')).backgroundColor)).toEqual(pixel('oklch(0.922 0 0)'))
  expect(pixel(getComputedStyle(part('approve')).color)).toEqual(pixel('oklch(0.205 0 0)'))
  expect(await tooLow()).toEqual([])
})

it('shows an edited approval with the tokens of the page too', async () => {
  document.documentElement.className = 'dark'
  wear(tokens)
  await show(paying)

  await userEvent.click(page.getByRole('button', { name: 'Edit' }))

  await expect.element(page.getByLabelText('To')).toBeVisible()
  expect(await tooLow()).toEqual([])
})
