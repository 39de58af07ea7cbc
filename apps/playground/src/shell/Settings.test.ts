import { expect, it } from 'vitest'
import { defaultSettings, readSettings } from './Settings.ts'

it('reads what was stored', () => {
  const settings = {
    theme: 'dark',
    hasLetterKeys: false,
    editorView: 'json',
    listWidth: 300,
    recentCommands: ['run.new'],
  } as const

  expect(readSettings(JSON.stringify(settings))).toEqual(settings)
})

it.each([null, 'no JSON', '[]', '7', '{"theme":"pink","hasLetterKeys":1,"listWidth":"wide","recentCommands":3}'])(
  'is as at first where %s is stored',
  (json) => {
    expect(readSettings(json)).toEqual(defaultSettings)
  },
)
