'use client'

import type { Run } from '@interleave/core'
import type { CallMessage } from '@interleave/core/observe'
import type { AppHostContext, AppReady, AppState, AppView, McpApps } from '@interleave/mcp/apps'
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useDrawEffect } from '../effects.ts'
import { reportProblem, useFailureWords } from '../failureWords.ts'
import { SignalOutlet } from '../outlet/SignalOutlet.tsx'
import { FailureBox } from '../parts.tsx'
import { ToolCall } from '../transcript/ToolCard.tsx'
import { useSay } from '../words/words.tsx'

export interface McpAppProps {
  /** The apps of your servers: `mcpApps()` of `@interleave/mcp/apps`. */
  readonly apps: McpApps
  /** The call to show. */
  readonly message: CallMessage
  /** The run that makes the call. Without it, the app's requests are refused. */
  readonly run?: Run | undefined
  /** The colors of the page; those of the system by default. */
  readonly theme?: 'light' | 'dark' | undefined
  /** The maximum height of the app in pixels; 600 by default. A higher app scrolls. */
  readonly maxHeight?: number
  readonly className?: string
}

/**
 * Shows a tool call with the app of its MCP server below it, in a frame of another origin. The app's calls execute in a
 * run of their own, whose approvals and questions are shown here and survive a reload. Without an app, only the call is
 * shown.
 *
 * @example
 * const ShopCard = (props: ToolCardProps) => <McpApp apps={apps} {...props} />
 * const cards = { show_cart: ShopCard }
 * const Chat = ({ run }: { run: Run }) => <Transcript run={run} tools={cards} />
 */
export function McpApp({ apps, message, run, theme, maxHeight = 600, className }: McpAppProps): ReactNode {
  const say = useSay()
  const { tool, key } = message
  const view = useMemo(() => apps.view(tool, run && { run, key }), [apps, tool, key, run])
  const state = useSyncExternalStore(view.subscribe, view.getState, view.getState)
  const asking = useSyncExternalStore(view.subscribe, view.getAsking, view.getAsking)
  const problem = useAppProblem(state)
  const isDark = usePrefersDark()
  const shown = theme ?? (isDark ? 'dark' : 'light')
  useEffect(() => view.open(), [view])
  useEffect(() => view.show(message, hostContext(shown, maxHeight)), [view, message, shown, maxHeight])
  return (
    <div data-interleave="app" data-state={state.status} className={className}>
      <ToolCall message={message} />
      {state.status === 'ready' && message.state !== 'writing' && (
        <AppFrame apps={apps} view={view} ready={state} theme={shown} maxHeight={maxHeight} />
      )}
      {state.status === 'failed' && (
        <FailureBox title={say('appNotShown')} reason={problem} onRetry={() => void view.load()} />
      )}
      <SignalOutlet run={asking} failures={false} shortcut={false} />
    </div>
  )
}

/** Returns what users read of an app that failed. The console has the reason. */
function useAppProblem(state: AppState): string {
  const wordsOf = useFailureWords()
  const failure = useMemo(
    () =>
      state.status === 'failed'
        ? ({ code: 'tools_unavailable', message: state.error, retryable: true } as const)
        : undefined,
    [state],
  )
  useEffect(() => {
    if (failure) reportProblem(failure)
  }, [failure])
  return failure ? wordsOf(failure) : ''
}

const hostContext = (theme: 'light' | 'dark', maxHeight: number): AppHostContext => ({
  theme,
  maxHeight,
  locale: navigator.language,
})

interface AppFrameProps {
  readonly apps: McpApps
  readonly view: AppView
  readonly ready: AppReady
  readonly theme: 'light' | 'dark'
  readonly maxHeight: number
}

const features = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
} as const

const usualHeight = 240

function AppFrame({ apps, view, ready, theme, maxHeight }: AppFrameProps): ReactNode {
  const say = useSay()
  const frame = useRef<HTMLIFrameElement>(null)
  // Before the sandbox page can send its first message.
  useDrawEffect(() => {
    const { contentWindow } = frame.current ?? {}
    return contentWindow ? view.connect(contentWindow) : undefined
  }, [view])
  const style: CSSProperties = {
    boxSizing: 'border-box',
    colorScheme: theme,
    display: 'block',
    height: Math.min(ready.height ?? usualHeight, maxHeight) + (ready.hasBorder ? 2 : 0),
    marginBlockStart: 4,
    width: '100%',
    borderRadius: 8,
    border: ready.hasBorder ? '1px solid color-mix(in srgb, currentColor 25%, transparent)' : 0,
  }
  return (
    <iframe
      ref={frame}
      data-interleave="app-frame"
      title={say('app', { title: ready.title })}
      src={apps.sandbox}
      sandbox="allow-scripts allow-same-origin"
      allow={ready.permissions.map((each) => features[each]).join('; ')}
      loading="lazy"
      referrerPolicy="no-referrer"
      style={style}
      onLoad={() => view.loaded()}
    />
  )
}

const darkQuery = '(prefers-color-scheme: dark)'

const usePrefersDark = (): boolean =>
  useSyncExternalStore(
    followScheme,
    () => matchMedia(darkQuery).matches,
    () => false,
  )

function followScheme(listener: () => void): () => void {
  const query = matchMedia(darkQuery)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
