import { deepEqual, ok } from 'node:assert/strict'
import type { Plugin } from '@gateway/sdk'
import type { PluginCheck } from './plugin-check.ts'

/** Loads each command as its help does, and checks that the parts the help shows exist. */
export function commandChecks(plugin: Plugin): readonly PluginCheck[] {
  return plugin.commands.map(({ name, summary, load }) => ({
    promise: `command ${name} can be loaded, and explains itself`,
    async run() {
      const { default: handler } = await load()
      ok(typeof handler?.run === 'function', `${name}: the default export of its module is not what commandHandler makes`)
      const texts = Object.entries(handler.options).map(([option, { description }]) => [`--${option}`, description] as const)
      const silent = [['its summary', summary] as const, ...texts].filter(([, text]) => !/^\S.*\.$/.test(text ?? ''))
      deepEqual(
        silent.map(([what]) => what),
        [],
        `${name}: no sentence says what these are: ${silent.map(([what]) => what).join(', ')}`,
      )
    },
  }))
}
