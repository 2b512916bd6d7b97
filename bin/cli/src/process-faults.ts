import type { Logger } from 'pino'
import { packageFromStack } from './package-from-stack.ts'

/**
 * Handles faults that belong to no call, because no caller waits for their result any more:
 *
 * - A rejected promise that nothing awaits is logged, and the gateway continues: one forgotten `await` of a plugin must not end
 *   the work of all tenants.
 * - An uncaught exception may have left work half done. It is logged as fatal, and `first` resolves, so that the gateway drains
 *   and stops. Later ones are only logged.
 *
 * Both log entries name the package whose code failed, taken from the stack. Calls cost nothing by it.
 */
export function processFaults(log: Logger): { readonly first: Promise<'uncaughtException'> } {
  process.on('unhandledRejection', (reason) => {
    log.error({ err: asError(reason), ...named(reason) }, 'unhandled promise rejection')
  })
  const first = new Promise<'uncaughtException'>((resolve) => {
    process.on('uncaughtException', (error) => {
      log.fatal({ err: asError(error), ...named(error) }, 'uncaught exception; the gateway drains and exits')
      resolve('uncaughtException')
    })
  })
  return { first }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(`not an error: ${String(thrown)}`))

function named(thrown: unknown): { readonly plugin?: string } {
  const plugin = thrown instanceof Error ? packageFromStack(thrown.stack ?? '') : undefined
  return plugin === undefined ? {} : { plugin }
}
