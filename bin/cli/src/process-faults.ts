import type { Logger } from 'pino'
import { packageFromStack } from './package-behind.ts'

/**
 * Handles faults that belong to no call, since nobody waits for it any more:
 *
 * - a promise that failed and that nobody waited for is logged, and the gateway goes on: one forgotten `await` of a plugin must
 *   not end everybody's work;
 * - an exception that nobody caught left unknown work half done: it is logged as fatal, and `first` resolves, so that the gateway
 *   drains and ends. Those that follow meanwhile are logged.
 *
 * Both name the package whose code failed, taken from the stack: that costs a call nothing.
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
