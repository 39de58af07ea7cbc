import type { FailureSentences } from '@interleave/core/observe'
import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react'
import { isDevelopment } from '../isDevelopment.ts'
import { en } from './en.ts'

/** One form for each category of `Intl.PluralRules` that the language has. */
export type Plural = { readonly [Category in Intl.LDMLPluralRule]?: string } & { readonly other: string }

type English = typeof en
export type WordKey = Exclude<keyof English, 'locale' | 'failures'>

/**
 * The words of the components: whole sentences with slots such as `{agent}`. `locale` is that of numbers and plurals.
 */
export type Words = { readonly [Key in WordKey | 'locale']: English[Key] extends string ? string : Plural } & {
  /** The sentences about failures, by the code of the error. Those that are missing are English. */
  readonly failures: FailureSentences
}

type SlotsIn<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | SlotsIn<Rest> : never
type SlotsOf<Key extends WordKey> = English[Key] extends string
  ? SlotsIn<English[Key]>
  : SlotsIn<English[Key][keyof English[Key]]> | 'count'

/** The values of a sentence's slots. */
export type Slots<Key extends WordKey, Value> = [SlotsOf<Key>] extends [never]
  ? readonly [slots?: Record<never, never>]
  : readonly [slots: { readonly [Name in SlotsOf<Key>]: Name extends 'count' ? number : Value }]

/** Returns a sentence as text, for attributes and announcements. */
export type Say = <Key extends WordKey>(key: Key, ...slots: Slots<Key, string | number>) => string

const WordsContext = createContext<Words>(en)

/** Returns the words of the surrounding `ReActProvider`s: English without one. */
export const useWords = (): Words => useContext(WordsContext)

/** Sets words for all components below it. An inner provider overrides single ones. */
export function WordsProvider({
  words,
  children,
}: {
  readonly words?: Partial<Words> | undefined
  readonly children: ReactNode
}): ReactNode {
  const outer = useWords()
  const all = useMemo(() => (words ? withWords(outer, words) : outer), [outer, words])
  return <WordsContext.Provider value={all}>{children}</WordsContext.Provider>
}

/**
 * Replaces words by those that can be shown. No compiler has checked a file of translations, and one that is missing in
 * it must not take the page with it.
 */
function withWords(outer: Words, given: Partial<Words>): Words {
  const taken = Object.entries(given).flatMap(([key, words]) => {
    const fitting = fittingWords(key, words)
    if (fitting === undefined && words !== undefined) warn(key)
    return fitting === undefined ? [] : [[key, fitting] as const]
  })
  return { ...outer, ...Object.fromEntries(taken), failures: { ...outer.failures, ...textsIn(given.failures) } }
}

/** Returns words of the table; undefined if they are none. A sentence with a number may have one form for all numbers. */
function fittingWords(key: string, given: unknown): unknown {
  if (key === 'locale') return localeOf(String(given))
  if (key === 'failures' || typeof given === 'string') return given ?? undefined
  const isPlural = typeof Object(en)[key] === 'object' && typeof Object(given).other === 'string'
  return isPlural ? textsIn(given) : undefined
}

const textsIn = (given: unknown): object =>
  Object.fromEntries(Object.entries(Object(given)).filter(([, text]) => typeof text === 'string'))

/** Returns a locale as `Intl` takes it: `de-AT` of `de_AT`. */
function localeOf(given: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(given.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

const warned = new Set<string>()

function warn(key: string): void {
  if (warned.has(key) || !isDevelopment()) return
  warned.add(key)
  const must = key === 'locale' ? 'a language tag, such as "de-AT"' : 'a sentence, or its forms with `other`'
  console.warn(
    `Interleave: \`${key}\` of the \`words\` of ReActProvider must be ${must}. The words without it are shown.`,
  )
}

/** Returns a function that says sentences as text. */
export function useSay(): Say {
  const words = useWords()
  return useMemo(() => sayIn(words), [words])
}

/** Returns a function that says sentences as text in these words. */
export const sayIn =
  (words: Words): Say =>
  (key, ...[slots]) =>
    partsOf(words, key, slots)
      .map(({ text, value }) => text ?? isolated(String(value), words))
      .join('')

type PhraseProps<Key extends WordKey> = { readonly of: Key } & (Slots<Key, ReactNode>[0] extends infer Given
  ? undefined extends Given
    ? unknown
    : Given
  : never)

/** Renders a sentence. What is in its slots is isolated, so that a name of another direction turns no word around. */
export function Phrase<Key extends WordKey>({ of, ...slots }: PhraseProps<Key>): ReactNode {
  const words = useWords()
  return partsOf(words, of as WordKey, slots).map(({ text, value }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move.
    <Fragment key={index}>
      {text ?? (typeof value === 'object' ? (value as ReactNode) : <bdi>{value as string}</bdi>)}
    </Fragment>
  ))
}

interface PhrasePart {
  readonly text?: string
  readonly value?: unknown
}

/** Splits a sentence into its words and the values of its slots. */
function partsOf(words: Words, key: WordKey, slots: object = {}): readonly PhrasePart[] {
  const given = slots as Readonly<Record<string, unknown>>
  const { count } = given
  const template = templateOf(words, key, count)
  return template.split(/\{(\w+)\}/).flatMap((text, index): PhrasePart[] => {
    if (index % 2 === 0) return text ? [{ text }] : []
    const value = given[text]
    return [typeof value === 'number' ? { text: inNumbers(words, value) } : { value: value ?? '' }]
  })
}

function templateOf(words: Words, key: WordKey, count: unknown): string {
  const template: string | Plural = words[key]
  if (typeof template === 'string') return template
  const category = new Intl.PluralRules(words.locale).select(Number(count))
  return template[category] ?? template.other
}

const inNumbers = ({ locale }: Words, value: number): string =>
  value.toLocaleString(locale, { maximumSignificantDigits: 15 })

const rightToLeft = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u

/** Returns the direction of the words. */
const directionOf = ({ reply, answerLater }: Words): 'ltr' | 'rtl' =>
  rightToLeft.test(reply + answerLater) ? 'rtl' : 'ltr'

/** Isolates a value in a text of another direction: attributes have no elements for that. */
const isolated = (value: string, words: Words): string =>
  rightToLeft.test(value) || directionOf(words) === 'rtl' ? `\u2068${value}\u2069` : value
