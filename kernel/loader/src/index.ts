export { type ImportSettings, importPlugin } from './import-plugin.ts'
export { isInstalled } from './locate.ts'
export { nameExit } from './name-exit.ts'
