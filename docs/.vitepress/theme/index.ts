import { type Theme, useData } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, onMounted, watch } from 'vue'
import { Live } from './live.ts'
import './style.css'

const Layout = defineComponent(() => {
  const { frontmatter } = useData()
  // The first page has no <main>, as the others have.
  const mark = (layout: unknown): void => {
    const content = document.querySelector('#VPContent')
    if (layout === 'home') content?.setAttribute('role', 'main')
    else content?.removeAttribute('role')
  }
  onMounted(() => watch(() => frontmatter.value.layout, mark, { immediate: true }))
  return () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-image': () => h(Live, { of: 'waiter', title: 'A table for four: a tool that asks' }),
    })
})

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp: ({ app }) => void app.component('Live', Live),
} satisfies Theme
