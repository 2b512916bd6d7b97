export { adapters } from './adapters.ts'
export { boot } from './boot.ts'
export { openStore } from './open-store.ts'
