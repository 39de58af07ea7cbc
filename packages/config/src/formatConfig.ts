import { stringify } from 'yaml'
import type { Config } from './config.ts'

/** A config as text. Reading it gives the same config again. */
export function formatConfig(config: Config, as: 'yaml' | 'json' = 'yaml'): string {
  if (as === 'json') return `${JSON.stringify(config, null, 2)}\n`
  // Quotes what YAML 1.1 would take for something else, such as `no`: other programs read these files too.
  return stringify(config, { ...yamlStyle, aliasDuplicateObjects: false, compat: 'yaml-1.1' })
}

/** Lines are left as they are. */
export const yamlStyle = { version: '1.2', lineWidth: 0 } as const
