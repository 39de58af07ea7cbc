import { parseStored } from '../parts/objects.ts'

/** The view of an agent's file. */
export type EditorView = (typeof editorViews)[number]
export const editorViews = ['form', 'yaml', 'json'] as const

/** The user's settings of the page, stored in this browser. */
export interface Settings {
  readonly theme: Theme
  /** True if single letters are shortcuts. Users of speech input turn them off. */
  readonly hasLetterKeys: boolean
  /** The view of the agent editor. */
  readonly editorView: EditorView
  /** Widths of the outer panes, in pixels; the defaults of the style sheet if there are none. */
  readonly listWidth?: number | undefined
  readonly detailsWidth?: number | undefined
  /** The ids of the commands that were used last, latest first. */
  readonly recentCommands: readonly string[]
}

export type Theme = (typeof themes)[number]
export const themes = ['system', 'light', 'dark'] as const

export const defaultSettings: Settings = {
  theme: 'system',
  hasLetterKeys: true,
  editorView: 'form',
  recentCommands: [],
}

/** Returns the part of the stored data that can be used. */
export function readSettings(json: string | null): Settings {
  const stored = Object(parseStored(json)) as Partial<Record<keyof Settings, unknown>>
  const { theme, hasLetterKeys, editorView, listWidth, detailsWidth, recentCommands } = stored
  return {
    theme: themes.find((known) => known === theme) ?? defaultSettings.theme,
    hasLetterKeys: typeof hasLetterKeys === 'boolean' ? hasLetterKeys : defaultSettings.hasLetterKeys,
    editorView: editorViews.find((known) => known === editorView) ?? defaultSettings.editorView,
    ...(isWidth(listWidth) && { listWidth }),
    ...(isWidth(detailsWidth) && { detailsWidth }),
    recentCommands: Array.isArray(recentCommands) ? recentCommands.filter((id) => typeof id === 'string') : [],
  }
}

const isWidth = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 10_000
