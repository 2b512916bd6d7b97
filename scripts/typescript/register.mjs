import module from 'node:module'

// Before Node 22.15 hooks run in a separate thread, which loads them itself.
if (module.registerHooks) module.registerHooks(await import('./hooks.mjs'))
else module.register('./hooks.mjs', import.meta.url)
process.setSourceMapsEnabled(true)
