import { differentialTests } from './differential.ts'

/** Multiple of the runs: `DIFFERENTIAL=50 npm test -- kernel/storage/test/differential.slow.test.ts`. */
await differentialTests(Number(process.env.DIFFERENTIAL ?? 1))
