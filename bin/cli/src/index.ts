export { type MainOptions, main } from './main.ts'
export { type Ran, runCommand } from './run-command.ts'
