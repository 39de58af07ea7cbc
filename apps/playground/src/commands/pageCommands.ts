import { focusOn } from '../parts/focus.ts'
import { type Theme, themes } from '../shell/Settings.ts'
import type { Command } from './Command.ts'

const themeTitles: Readonly<Record<Theme, string>> = {
  system: 'Theme: System',
  light: 'Theme: Light',
  dark: 'Theme: Dark',
}

/** The commands of the page, whatever run is shown. */
export const pageCommands: readonly Command[] = [
  {
    id: 'page.palette',
    group: 'Page',
    title: 'Search and commands',
    keys: 'Mod+K',
    run: ({ openDialog }) => {
      const open = document.querySelector<HTMLDialogElement>('dialog.palette[open]')
      // Closing the element restores the focus.
      if (open) open.close()
      else openDialog('palette')
    },
  },
  {
    id: 'page.shortcuts',
    group: 'Page',
    title: 'Keyboard shortcuts',
    words: 'help keys hotkeys',
    keys: '?',
    run: ({ openDialog }) => openDialog('shortcuts'),
  },
  {
    id: 'page.model',
    group: 'Page',
    title: 'Choose the model',
    words: 'provider key connection openai anthropic google ollama',
    keys: 'M',
    run: ({ openDialog }) => openDialog('models'),
  },
  {
    id: 'page.permissions',
    group: 'Page',
    title: 'Permissions',
    words: 'always allowed for good approve take back',
    run: ({ openDialog }) => openDialog('permissions'),
  },
  {
    id: 'page.storage',
    group: 'Page',
    title: 'Storage',
    words: 'disk room delete old runs keep',
    run: ({ showStorage }) => showStorage(true),
  },
  ...themes.map(
    (theme): Command => ({
      id: `page.theme.${theme}`,
      group: 'Page',
      title: themeTitles[theme],
      words: 'theme appearance mode',
      isOffered: ({ settings }) => settings.theme !== theme,
      run: ({ choose }) => choose({ theme }),
    }),
  ),
  {
    id: 'page.letters',
    group: 'Page',
    title: 'Turn single-key shortcuts on or off',
    words: 'keyboard accessibility speech',
    run: ({ store, choose }) => choose({ hasLetterKeys: !store.getState().settings.hasLetterKeys }),
  },
  {
    id: 'go.search',
    group: 'Go to',
    title: 'Search in the runs',
    words: 'find filter',
    keys: '/',
    run: ({ choosePane }) => {
      choosePane('runs')
      focusOn('#run-search')
    },
  },
  {
    id: 'go.message',
    group: 'Go to',
    title: 'Write a message',
    words: 'composer ask chat',
    keys: 'I',
    run: ({ choosePane }) => {
      choosePane('chat')
      focusOn('#composer')
    },
  },
  {
    id: 'go.inside',
    group: 'Go to',
    title: 'Inside the run',
    words: 'details scratchpad events timeline usage cost',
    keys: 'D',
    run: ({ choosePane }) => {
      choosePane('details')
      focusOn('.details [role="tab"][aria-selected="true"]')
    },
  },
]
