#!/usr/bin/env node
// The `gateway` command of this distribution: the kernel’s command line with the standard plugins.

import module from 'node:module'
import './runnable.mjs'

// From Node 22 on what was compiled is kept for the next start.
module.enableCompileCache?.()

const args = process.argv.slice(2)
try {
  const { main } = await import('@gateway/cli')
  const plugins = async () => (await import('@gateway/standard')).standardPlugins
  process.exitCode = await main({ plugins, argv: args, env: process.env })
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/[\\/]dist[\\/]/.test(error.message)) throw error
  console.error('gateway: it is not built yet; run `npm run build` in the repository first.')
  process.exitCode = 1
}
