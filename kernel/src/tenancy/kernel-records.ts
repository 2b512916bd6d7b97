import { localTokens } from '../access/local-token.ts'
import { jobRecords } from '../jobs/job-record.ts'
import { taskRecords } from '../mcp/stateless/task-records.ts'
import { nodeCollections } from '../nodes/collections.ts'
import { kernelCollections } from './collections.ts'
import { knownTenants } from './known-tenants.ts'

/** Every collection the kernel keeps for itself. */
export const kernelRecords = [...kernelCollections, ...nodeCollections, localTokens, taskRecords, jobRecords, knownTenants] as const
