export { loadSettings } from './load.ts'
export type { Settings } from './settings.ts'
