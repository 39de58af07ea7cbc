import { defineConfig } from 'tsdown'
import { components } from '../../tsdown.base.ts'

export default defineConfig(components)
