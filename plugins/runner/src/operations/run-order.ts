import type { ServiceClient } from '@gateway/sdk'
import type { LaneConfig, RepoConfig, RunnerConfig, Task } from '../schema.ts'
import type { Stopper } from './halt.ts'

export interface RunOrder {
  readonly client: ServiceClient
  readonly config: RunnerConfig
  readonly env: Readonly<Record<string, string | undefined>>
  readonly runner: string
  readonly lane: LaneConfig
  readonly task: Task & { readonly claimId: string }
  readonly repo: RepoConfig
  readonly agentName: string
  readonly stopper: Stopper
  readonly extended?: () => Promise<void>
  readonly agentUrl: string
}
