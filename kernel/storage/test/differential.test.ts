import { differentialTests } from './differential.ts'

await differentialTests(0.25)
