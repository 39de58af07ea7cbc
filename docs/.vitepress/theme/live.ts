import type { ComponentType } from 'react'
import type { Root } from 'react-dom/client'
import { defineComponent, h, nextTick, onBeforeUnmount, onMounted, shallowRef } from 'vue'

const examples = import.meta.glob<{ App: ComponentType }>('../../live/*.tsx')

/**
 * A program of docs/live, which runs when the reader says so: React and the packages load only then. One that ran
 * before a reload runs again.
 */
export const Live = defineComponent({
  props: { of: { type: String, required: true }, title: { type: String, required: true } },
  setup({ of, title }) {
    const state = shallowRef<'ready' | 'loading' | 'runs' | 'failed'>('ready')
    const host = shallowRef<HTMLElement>()
    const key = `live:${of}`
    let root: Root | undefined

    /** Loads the program and, unless it ran before, presses its button. */
    async function run(isResumed: boolean): Promise<void> {
      state.value = 'loading'
      try {
        const load = examples[`../../live/${of}.tsx`]
        if (!load) throw new Error(`There is no docs/live/${of}.tsx.`)
        const [{ createElement, StrictMode }, { createRoot }, { flushSync }, { App }] = await Promise.all([
          import('react'),
          import('react-dom/client'),
          import('react-dom'),
          load(),
        ])
        state.value = 'runs'
        await nextTick()
        if (!host.value) return
        root = createRoot(host.value)
        flushSync(() => root?.render(createElement(StrictMode, null, createElement(App))))
        sessionStorage.setItem(key, 'runs')
        const button = host.value.querySelector('button')
        button?.focus()
        if (!isResumed) button?.click()
      } catch (error) {
        console.error(error)
        state.value = 'failed'
      }
    }

    onMounted(() => {
      const [navigation] = performance.getEntriesByType('navigation')
      const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload'
      if (isReload && sessionStorage.getItem(key)) void run(true)
    })
    onBeforeUnmount(() => root?.unmount())

    const words = { ready: 'Run it', loading: 'Loading …', failed: 'It did not load. Try again', runs: '' }
    return () =>
      h('section', { class: 'live', 'aria-label': title }, [
        h('p', { class: 'live-title' }, title),
        state.value === 'runs'
          ? h('div', { ref: host, class: 'live-app vp-raw' })
          : h('div', { class: 'live-ready' }, [
              h('button', { type: 'button', class: 'live-run', onClick: () => void run(false) }, words[state.value]),
            ]),
      ])
  },
})
