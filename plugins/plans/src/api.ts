export { isOffHours } from './rules/sydney-window.ts'
