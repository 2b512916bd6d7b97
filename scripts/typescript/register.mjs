import module from 'node:module'

// Before Node 22.15 hooks run in a thread of their own, which loads them itself.
if (module.registerHooks) module.registerHooks(await import('./hooks.mjs'))
else module.register('./hooks.mjs', import.meta.url)
process.setSourceMapsEnabled(true)
