export { type MainOptions, main } from './main.ts'
